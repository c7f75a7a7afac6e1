// Forms and links marked data-live are sent by fetch; the answer is shown in place. data-plain ones are left to the browser.

// How long to wait before an order whose fate is not known is sent again, under the same id: the house carries it out once.
const AGAIN = [1000, 2000, 4000, 8000, 15000];

async function ask(address, options) {
  const asked = { ...options, headers: { "X-Baize": "live", ...options.headers }, credentials: "same-origin" };
  for (const wait of [...AGAIN, null]) {
    let answer = null;
    try {
      answer = await fetch(address, asked);
    } catch (error) {
      if (options.method !== "POST" || wait === null) throw error;
    }
    // 503, 504: the database is away, and what became of it may not be known.
    if (answer && ((answer.status !== 503 && answer.status !== 504) || options.method !== "POST" || wait === null)) return answer;
    toast("It is not known yet whether this was done. Asking again…", true);
    await new Promise((done) => setTimeout(done, wait));
  }
}

async function send(address, options, form) {
  form?.classList.add("busy");
  try {
    const answer = await ask(address, options);
    const text = await answer.text();
    if (answer.redirected && new URL(answer.url).pathname !== location.pathname) {
      location.href = answer.url;
      return true;
    }
    one("#toast").classList.remove("shown");
    show(text);
    const box = one("#toast");
    if (box.classList.contains("shown")) toast(box.textContent, box.classList.contains("bad"));
    else if (!answer.ok) toast(`The house answered ${answer.status}.`, true);
    return answer.ok;
  } catch {
    const words = options.method === "POST" ? "It is not known whether this was done: look at it again before you repeat it." : "Try again.";
    toast(`The house cannot be reached. ${words}`, true);
    return false;
  } finally {
    form?.classList.remove("busy");
  }
}

// Changes a field as if nobody had touched it; what is drawn beside it follows.
function fill(field, text) {
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
  // A second click must not overtake the answer to the first, which brings a new session.
  if ("once" in form.dataset) {
    if (form.classList.contains("busy")) event.preventDefault();
    form.classList.add("busy");
  }
  if (!("live" in form.dataset)) return;
  event.preventDefault();
  if (form.classList.contains("busy")) {
    // What is shown must be the answer to what the fields say now.
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
    // Cards leave the field as they are sent, because the stream may ask for the next ones before the answer is here.
    const cards = all("input[data-card-input]", form).map((field) => [field, field.value]);
    for (const [field] of cards) fill(field, "");
    const done = await send(form.getAttribute("action"), { method: "POST", body }, form);
    // What was refused stays to be corrected, unless something else has been typed since.
    const then = done ? all("input[name=reason]", form).map((field) => [field, field.defaultValue]) : cards;
    for (const [field, text] of then) if (!field.dataset.touched) fill(field, text);
    if (!done) document.dispatchEvent(new CustomEvent("refused", { detail: form }));
  }
});

// A form whose fate is not known is sent again by itself, as it is, and stays until the house knows.
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
  // What was asked for opens where the reader is looking.
  const there = address.hash && one(address.hash);
  if (there) {
    there.scrollIntoView({ block: "start" });
    there.focus({ preventScroll: true });
  }
});

document.addEventListener("input", (event) => {
  if (event.target.matches("input, select, textarea")) event.target.dataset.touched = "1";
});

document.addEventListener("click", (event) => { if (event.target.closest?.("[data-print]")) print(); });

// What is to be copied is selected, so that the keys do it where the browser lets no script.
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
    toast("Copy what is selected.");
  }
});

// Clocks count down from what the server said was left.
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
