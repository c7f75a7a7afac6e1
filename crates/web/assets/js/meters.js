// Meters count to their new value in about a second; changed digits roll in.

function drawDigits(element, cents) {
  const text = `${Math.floor(cents / 100).toLocaleString("en-SG")}.${String(cents % 100).padStart(2, "0")}`;
  const old = element.textContent;
  if (old === text) return;
  const pad = text.length - old.length;
  element.replaceChildren(...[...text].map((character, at) => {
    const span = document.createElement("span");
    const digit = character >= "0" && character <= "9";
    span.className = digit ? "digit" : "sep";
    if (digit && old[at - pad] !== character && !reducedMotion.matches) span.classList.add("roll");
    span.textContent = character;
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
  if (reducedMotion.matches || from === end) {
    drawDigits(element, end);
    return;
  }
  const began = performance.now();
  const step = (now) => {
    if (rolling.get(element) !== turn) return;
    const part = Math.min(1, (now - began) / 900);
    drawDigits(element, part === 1 ? end : Math.round(from + (end - from) * part));
    if (part < 1) setTimeout(() => requestAnimationFrame(step), 60);
  };
  requestAnimationFrame(step);
}
