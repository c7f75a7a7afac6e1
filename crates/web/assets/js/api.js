// The API explorer: a form for each operation of the OpenAPI description.

async function apiPage() {
  const section = one("[data-openapi]");
  if (!section) return;
  let description;
  try {
    description = await (await fetch(section.dataset.openapi)).json();
  } catch {
    section.textContent = "The API description could not be loaded.";
    return;
  }
  section.textContent = "";
  for (const [path, item] of Object.entries(description.paths ?? {})) {
    for (const [verb, operation] of Object.entries(item)) {
      if (["get", "post", "put", "delete", "patch"].includes(verb)) {
        section.append(operationForm(section, description, path, verb, operation, item.parameters ?? []));
      }
    }
  }
}

function resolve(description, value) {
  if (!value?.$ref) return value;
  return value.$ref.slice(2).split("/").reduce((at, part) => at?.[part.replaceAll("~1", "/")], description);
}

// An example value for a schema.
function example(description, schema, depth = 0) {
  schema = resolve(description, schema) ?? {};
  if (schema.example !== undefined) return schema.example;
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  const choice = schema.oneOf ?? schema.anyOf;
  if (choice) return example(description, choice[0], depth);
  if (depth > 4) return null;
  const type = Array.isArray(schema.type) ? schema.type[0] : schema.type;
  if (type === "object" || schema.properties) {
    const fields = Object.entries(schema.properties ?? {}).map(([name, of]) => [name, example(description, of, depth + 1)]);
    return Object.fromEntries(fields);
  }
  if (type === "array") return [];
  if (type === "integer" || type === "number") return schema.minimum ?? 0;
  if (type === "boolean") return false;
  return "";
}

function operationForm(section, description, path, verb, operation, shared) {
  const form = make("form");
  const parameters = [...shared, ...(operation.parameters ?? [])].map((p) => resolve(description, p));
  for (const p of parameters) {
    const input = make("input", { name: p.name, required: Boolean(p.required), autocomplete: "off" });
    form.append(make("label", {}, make("span", { textContent: `${p.name} (${p.in})` }), input));
  }
  const schema = resolve(description, operation.requestBody)?.content?.["application/json"]?.schema;
  const body = schema && make("textarea", { rows: 6, value: JSON.stringify(example(description, schema), null, 2) });
  if (body) form.append(make("label", {}, make("span", { textContent: "Body (JSON)" }), body));
  const answer = make("pre", { hidden: true, tabIndex: 0 });
  form.append(make("div", { className: "buttons" }, make("button", { type: "submit", textContent: "Send" })), answer);
  form.addEventListener("submit", async (event) => {
    event.preventDefault();
    const query = new URLSearchParams();
    let address = path;
    const headers = { "X-CSRF-Token": section.dataset.csrf };
    for (const p of parameters) {
      const value = form.elements[p.name].value;
      if (p.in === "path") address = address.replace(`{${p.name}}`, encodeURIComponent(value));
      else if (p.in === "query" && value) query.set(p.name, value);
      else if (p.in === "header" && value) headers[p.name] = value;
    }
    if (body) headers["Content-Type"] = "application/json";
    answer.hidden = false;
    try {
      const server = (description.servers?.[0]?.url ?? "").replace(/\/$/, "");
      const got = await fetch(server + address + (query.size ? `?${query}` : ""), { method: verb.toUpperCase(), headers, body: body?.value });
      const text = await got.text();
      let pretty = text;
      try { pretty = JSON.stringify(JSON.parse(text), null, 2); } catch { /* not JSON: show it unchanged */ }
      answer.textContent = `${got.status} ${got.statusText}\n\n${pretty}`;
    } catch {
      answer.textContent = "The casino cannot be reached.";
    }
  });
  const title = make("summary", {}, make("span", { className: "verb", textContent: verb.toUpperCase() }), make("code", { textContent: path }), ` ${operation.summary ?? ""}`);
  return make("details", { className: "op" }, title, make("p", { className: "hint", textContent: operation.description ?? "" }), form);
}
