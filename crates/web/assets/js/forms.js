// Forms and links with data-live are sent by fetch, and their live regions are updated. Those with data-plain are left to the browser.

// Delays before retrying an order whose outcome is unknown. The id stays the same, so the house carries it out once.
const RETRY_DELAYS = [1000, 2000, 4000, 8000, 15000];

async function fetchWithRetry(address, options) {
  const request = { ...options, headers: { "X-Baize": "live", ...options.headers }, credentials: "same-origin" };
  for (const wait of [...RETRY_DELAYS, null]) {
    let answer = null;
    try {
      answer = await fetch(address, request);
    } catch (error) {
      if (options.method !== "POST" || wait === null) throw error;
    }
    // 503, 504: the database is unavailable, and the outcome may be unknown.
    if (answer && ((answer.status !== 503 && answer.status !== 504) || options.method !== "POST" || wait === null)) return answer;
    toast("It is not known yet whether this was done. Checking…", true);
    await new Promise((done) => setTimeout(done, wait));
  }
}

async function send(address, options, form) {
  form?.classList.add("busy");
  try {
    const answer = await fetchWithRetry(address, options);
    const text = await answer.text();
    if (answer.redirected && new URL(answer.url).pathname !== location.pathname) {
      location.href = answer.url;
      return true;
    }
    one("#toast").classList.remove("shown");
    show(text);
    const box = one("#toast");
    if (box.classList.contains("shown")) toast(box.textContent, box.classList.contains("bad"));
    else if (!answer.ok) toast(`The casino answered with status ${answer.status}.`, true);
    return answer.ok;
  } catch {
    const words = options.method === "POST" ? "Check whether this was done before you repeat it." : "Try again.";
    toast(`The casino cannot be reached. ${words}`, true);
    return false;
  } finally {
    form?.classList.remove("busy");
  }
}

// Sets a field without marking it as edited, and notifies its listeners.
function setField(field, text) {
  field.value = text;
  field.dispatchEvent(new Event("input", { bubbles: true }));
  delete field.dataset.touched;
}

document.addEventListener("submit", async (event) => {
  const form = event.target;
  if ("themeForm" in form.dataset) {
    event.preventDefault();
    const dark = document.documentElement.dataset.theme === "dark"
      || (document.documentElement.dataset.theme !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
    const next = dark ? "light" : "dark";
    document.documentElement.dataset.theme = next;
    document.cookie = `theme=${next}; Path=/; Max-Age=31536000; SameSite=Lax`;
    return;
  }
  // A second click must not overtake the response to the first, which contains the new session.
  if ("once" in form.dataset) {
    if (form.classList.contains("busy")) event.preventDefault();
    form.classList.add("busy");
  }
  if (!("live" in form.dataset)) return;
  event.preventDefault();
  if (form.classList.contains("busy")) {
    // Send again afterwards, so that the answer matches the current fields.
    if (form.method === "get") form.dataset.changed = "";
    return;
  }
  const body = new URLSearchParams(new FormData(form, event.submitter));
  for (const field of all("[data-touched]", form)) delete field.dataset.touched;
  if (form.method === "get") {
    const address = `${form.getAttribute("action").split("#")[0]}?${body}`;
    if (await send(address, {}, form)) history.replaceState(null, "", address);
    if ("changed" in form.dataset) {
      delete form.dataset.changed;
      form.requestSubmit();
    }
  } else {
    // Empty the card field now: the stream may ask for the next cards before the response arrives.
    const cards = all("input[data-card-input]", form).map((field) => [field, field.value]);
    for (const [field] of cards) setField(field, "");
    const done = await send(form.getAttribute("action"), { method: "POST", body }, form);
    // Put refused cards back to be corrected, unless something else was typed in the meantime.
    const then = done ? all("input[name=reason]", form).map((field) => [field, field.defaultValue]) : cards;
    for (const [field, text] of then) if (!field.dataset.touched) setField(field, text);
    if (!done) document.dispatchEvent(new CustomEvent("refused", { detail: form }));
  }
});

// The cage's page for an unknown outcome: retries its form until the outcome is known.
setTimeout(async () => {
  const form = one("form[data-again]");
  if (!form) return;
  const body = new URLSearchParams(new FormData(form));
  for (;;) {
    const answer = await fetch(form.getAttribute("action"), { method: "POST", body, credentials: "same-origin" }).catch(() => null);
    if (answer?.redirected) {
      location.href = answer.url;
      return;
    }
    if (answer && answer.status !== 503 && answer.status !== 504) break;
    await new Promise((done) => setTimeout(done, 3000));
  }
  form.requestSubmit();
}, 1000);

addEventListener("pageshow", () => { for (const form of all("form[data-once]")) form.classList.remove("busy"); });

document.addEventListener("click", async (event) => {
  const link = event.target.closest?.("a[data-live]");
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button) return;
  event.preventDefault();
  const address = new URL(link.getAttribute("href"), location.href);
  if (!(await send(address.pathname + address.search, {}))) return;
  history.replaceState(null, "", address);
  // Scroll to the link's target and focus it.
  const target = address.hash && one(address.hash);
  if (target) {
    target.scrollIntoView({ block: "start" });
    target.focus({ preventScroll: true });
  }
});

document.addEventListener("input", (event) => {
  if (event.target.matches("input, select, textarea")) event.target.dataset.touched = "1";
});

document.addEventListener("click", (event) => { if (event.target.closest?.("[data-print]")) print(); });

// Copy buttons. The text is selected too, for browsers that do not allow scripts to copy.
prepare.push((root) => { for (const button of all("[data-copy]", root)) button.hidden = false; });
document.addEventListener("click", async (event) => {
  const button = event.target.closest?.("[data-copy]");
  if (!button) return;
  const field = document.getElementById(button.dataset.copy);
  field.select();
  try {
    await navigator.clipboard.writeText(field.value);
    toast("Copied.");
  } catch {
    toast("Press Ctrl+C to copy.");
  }
});

// Clocks count down from the time left that the server sent.
const ends = new WeakMap();
prepare.push((root) => {
  for (const clock of all("[data-left]", root)) {
    const before = ends.get(clock);
    if (!before || before.left !== clock.dataset.left) ends.set(clock, { left: clock.dataset.left, at: performance.now() + Number(clock.dataset.left) });
  }
});
setInterval(() => {
  for (const clock of all("[data-left]")) {
    const end = ends.get(clock);
    if (!end) continue;
    const left = Math.max(0, end.at - performance.now());
    const seconds = String(Math.ceil(left / 1000));
    const out = one(".seconds", clock);
    if (out && out.textContent !== seconds) out.textContent = seconds;
    const bar = one("progress", clock);
    if (bar) bar.value = left;
    clock.classList.toggle("late", left < 5000);
  }
}, 200);
