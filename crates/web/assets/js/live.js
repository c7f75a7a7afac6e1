// Live regions: HTML arrives by event stream or as the answer to a form; elements replace those of the same id.
// Elements that stay are kept and only changed, so that cards animate once, focus stays and typed text is not lost.

// A form's field named "id" hides the form's own id: only the attribute tells.
const keyOf = (node) => (node.nodeType === 1 && node.getAttribute("id")) || null;

function attributes(from, to) {
  // Readers open and close details themselves.
  const theirs = (name) => name === "open" && from.tagName === "DETAILS";
  for (const { name } of [...from.attributes]) if (!theirs(name) && !to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of [...to.attributes]) if (!theirs(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
}

// What a reader is typing or has ticked is theirs; what they have not touched follows the server.
function field(from, to) {
  if (from.tagName !== "INPUT" || from.dataset.touched || from === document.activeElement) return;
  const value = to.getAttribute("value") ?? "";
  if (from.type !== "checkbox" && from.type !== "radio") { if (from.value !== value) from.value = value; }
  else if (!("tick" in from.dataset)) from.checked = to.hasAttribute("checked");
}

// What is drawn once for all who watch carries no token and no id of a form: everybody keeps those of their own page.
const ownToken = (from, to) => from.tagName === "INPUT" && from.type === "hidden" && from.value && to.getAttribute("value") === "";

function morph(from, to) {
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName) {
    from.replaceWith(to);
    return;
  }
  if (from.nodeType !== 1) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  if (from.isEqualNode(to) || ownToken(from, to)) return;
  if (from.tagName === "SELECT" && from.dataset.touched) return;
  if (from.hasAttribute("data-cents")) {
    rollTo(from, to);
    return;
  }
  attributes(from, to);
  field(from, to);
  children(from, to);
}

function children(from, to) {
  const wanted = new Set([...to.childNodes].map(keyOf).filter(Boolean));
  const old = new Map();
  for (const child of [...from.childNodes]) {
    const key = keyOf(child);
    if (!key) continue;
    if (wanted.has(key)) old.set(key, child);
    else child.remove();
  }
  let at = from.firstChild;
  for (const next of [...to.childNodes]) {
    const kept = old.get(keyOf(next));
    if (kept) {
      if (kept === at) at = at.nextSibling;
      else from.insertBefore(kept, at);
      morph(kept, next);
      continue;
    }
    // Elements with an id are met again further on and moved then.
    while (at && keyOf(at)) at = at.nextSibling;
    if (at && !keyOf(next) && at.nodeName === next.nodeName) {
      const here = at;
      at = at.nextSibling;
      morph(here, next);
    } else {
      from.insertBefore(next, at);
    }
  }
  while (at) {
    const next = at.nextSibling;
    at.remove();
    at = next;
  }
}

// The answer to a form and an event of the stream can overtake each other: what was read before that which is shown is left out.
const changeOf = (root) => { const [run, heard] = (one("#change", root)?.value ?? "").split("."); return { run, heard: Number(heard) }; };
function outdated(fresh) {
  const [shown, come] = [changeOf(document), changeOf(fresh)];
  return come.run === shown.run && come.heard < shown.heard;
}

// What the reader asked for stays when news comes: the form of a report, and advice on the decision that is still theirs.
function keepAsked(fresh) {
  if (one("#desk.picked")) one("#desk", fresh)?.remove();
  const deeds = (root) => all("#rail form[id]", root).map((form) => form.id).join();
  const advice = one("#advice", fresh);
  if (advice && deeds(document) === deeds(fresh)) advice.replaceWith(one("#advice")?.cloneNode(true) ?? advice);
}

function show(html, news = false) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  if (news) keepAsked(fresh);
  const whole = one("main#main", fresh);
  const had = document.activeElement === document.body ? null : document.activeElement;
  let regions = whole ? [whole, one("#account", fresh), one("#waiting", fresh)].filter(Boolean) : [...fresh.body.children];
  if (outdated(fresh)) regions = regions.filter((region) => region.id === "toast");
  for (const region of regions) {
    const here = region.id && document.getElementById(region.id);
    if (!here) continue;
    morph(here, region);
    const now = document.getElementById(region.id);
    for (const run of prepare) run(now.parentElement ?? now);
  }
  // Whoever pressed a button that is gone finds themself at the panel of the next one, not on it: a second Enter does nothing.
  if (had && !had.isConnected && document.activeElement === document.body) one("#rail .act, #console .next, #desk, #pit")?.focus({ preventScroll: true });
}

// The browser's title begins with how much waits for the reader.
prepare.push(() => {
  const count = Number(one("#waiting")?.dataset.count ?? 0);
  document.title = (count ? `(${count}) ` : "") + document.title.replace(/^\(\d+\) /, "");
});

let lastToast = 0;
function toast(words, bad) {
  const box = one("#toast");
  box.textContent = words;
  box.className = `toast shown${bad ? " bad" : ""}`;
  const mine = ++lastToast;
  setTimeout(() => { if (mine === lastToast) box.classList.remove("shown"); }, bad ? 9000 : 4000);
}

// The browser reconnects by itself and sends Last-Event-ID. It gives up where it is answered with an error, as by a proxy between two servers:
// then the page asks again, less and less often.
let source;
function listen(wait = 1000) {
  const address = document.body.dataset.events;
  if (!address) return;
  source = new EventSource(address);
  source.onmessage = (event) => show(event.data, true);
  source.addEventListener("say", (event) => toast(event.data));
  source.onerror = (event) => {
    document.body.classList.add("offline");
    if (event.target.readyState === EventSource.CLOSED) setTimeout(listen, wait, Math.min(wait * 2, 30000));
  };
  source.onopen = () => { document.body.classList.remove("offline"); wait = 1000; };
}
addEventListener("pagehide", () => source?.close());
// A page that comes back from the browser's memory is out of date.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
