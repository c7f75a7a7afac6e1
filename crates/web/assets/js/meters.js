// Meters roll: digits that changed drop in; a large step counts up over a second.

function digits(element, cents) {
  const text = `${Math.floor(cents / 100).toLocaleString("en-SG")}.${String(cents % 100).padStart(2, "0")}`;
  const old = element.textContent;
  if (old === text) return;
  const pad = text.length - old.length;
  element.replaceChildren(...[...text].map((sign, at) => {
    const span = document.createElement("span");
    const digit = sign >= "0" && sign <= "9";
    span.className = digit ? "digit" : "sep";
    if (digit && old[at - pad] !== sign && !calm.matches) span.classList.add("roll");
    span.textContent = sign;
    return span;
  }));
}

const rolling = new WeakMap();
function rollTo(element, to) {
  const from = Number(element.dataset.cents);
  const end = Number(to.dataset.cents);
  element.dataset.cents = String(end);
  element.setAttribute("aria-label", to.getAttribute("aria-label") ?? "");
  const turn = {};
  rolling.set(element, turn);
  if (calm.matches || from === end) {
    digits(element, end);
    return;
  }
  const began = performance.now();
  const step = (now) => {
    if (rolling.get(element) !== turn) return;
    const part = Math.min(1, (now - began) / 900);
    digits(element, part === 1 ? end : Math.round(from + (end - from) * part));
    if (part < 1) setTimeout(() => requestAnimationFrame(step), 60);
  };
  requestAnimationFrame(step);
}
