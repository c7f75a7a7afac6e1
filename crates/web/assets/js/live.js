// Live regions: HTML from the event stream or from the response to a form replaces the elements with the same ids.
// Elements are changed in place where possible, so that cards animate once, the focus stays and typed text is not lost.

// Not node.id: a form's field named "id" shadows the form's own id.
const keyOf = (node) => (node.nodeType === 1 && node.getAttribute("id")) || null;

function morphAttributes(from, to) {
 // Whether details are open is up to the reader.
 const isReaders = (name) => name === "open" && from.tagName === "DETAILS";
  for (const { name } of [...from.attributes]) if (!isReaders(name) && !to.hasAttribute(name)) from.removeAttribute(name);
  for (const { name, value } of [...to.attributes]) if (!isReaders(name) && from.getAttribute(name) !== value) from.setAttribute(name, value);
}

// Updates a field's value, unless the reader has edited it.
function morphField(from, to) {
  if (from.tagName !== "INPUT" || from.dataset.touched || from === document.activeElement) return;
  const value = to.getAttribute("value") ?? "";
  if (from.type !== "checkbox" && from.type !== "radio") { if (from.value !== value) from.value = value; }
  else if (!("tick" in from.dataset)) from.checked = to.hasAttribute("checked");
}

// Regions shared by all spectators have empty tokens and form ids: keep those of the page.
const keepsToken = (from, to) => from.tagName === "INPUT" && from.type === "hidden" && from.value && to.getAttribute("value") === "";

function morph(from, to) {
  if (from.nodeType !== to.nodeType || from.nodeName !== to.nodeName) {
    from.replaceWith(to);
    return;
  }
  if (from.nodeType !== 1) {
    if (from.nodeValue !== to.nodeValue) from.nodeValue = to.nodeValue;
    return;
  }
  if (from.isEqualNode(to) || keepsToken(from, to)) return;
  if (from.tagName === "SELECT" && from.dataset.touched) return;
  if (from.hasAttribute("data-cents")) {
    rollTo(from, to);
    return;
  }
  morphAttributes(from, to);
  morphField(from, to);
  morphChildren(from, to);
}

function morphChildren(from, to) {
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
    // Skip elements with an id: they are matched by it later.
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

// The response to a form and an event of the stream can overtake each other: regions older than those shown are ignored.
const versionOf = (root) => { const [run, number] = (one("#change", root)?.value ?? "").split("."); return { run, number: Number(number) }; };
function isOutdated(fresh) {
 const [shown, received] = [versionOf(document), versionOf(fresh)];
 return received.run === shown.run && received.number < shown.number;
}

// An event must not replace what the reader has opened: the form of a report, and advice on a decision that is still to be made.
function keepOpened(fresh) {
  if (one("#desk.picked")) one("#desk", fresh)?.remove();
  const forms = (root) => all("#rail form[id]", root).map((form) => form.id).join();
  const advice = one("#advice", fresh);
  if (advice && forms(document) === forms(fresh)) advice.replaceWith(one("#advice")?.cloneNode(true) ?? advice);
}

function show(html, fromStream = false) {
  const fresh = new DOMParser().parseFromString(html, "text/html");
  if (fromStream) keepOpened(fresh);
  const whole = one("main#main", fresh);
  const had = document.activeElement === document.body ? null : document.activeElement;
  let regions = whole ? [whole, one("#account", fresh), one("#waiting", fresh)].filter(Boolean) : [...fresh.body.children];
  if (isOutdated(fresh)) regions = regions.filter((region) => region.id === "toast");
  for (const region of regions) {
    const here = region.id && document.getElementById(region.id);
    if (!here) continue;
    morph(here, region);
    const now = document.getElementById(region.id);
    for (const run of prepare) run(now.parentElement ?? now);
  }
  // If the focused button is gone, focus the panel of the next one, not the button: a second Enter must do nothing.
  if (had && !had.isConnected && document.activeElement === document.body) one("#rail .act, #console .next, #desk, #pit")?.focus({ preventScroll: true });
}

// The browser's title begins with the number of waiting tasks.
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

// Browsers reconnect by themselves and send Last-Event-ID, but give up after an error response, for example from a proxy between two servers.
// Then the script reconnects with increasing delays.
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
// A page restored from the back-forward cache is out of date.
addEventListener("pageshow", (event) => { if (event.persisted) location.reload(); });
