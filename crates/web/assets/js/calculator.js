// The decision calculator, the map of starting hands, the jackpot slider.

prepare.push((root) => {
  for (const form of all("[data-calculator]", root)) {
    one(".picker", form).hidden = false;
    drawSlots(form);
  }
});

const slots = (form) => all("[data-slot]", form);
const slotCards = (slot) => readCards(one("input", slot).value).cards;
const codes = (cards) => cards.map((card) => card.rank + card.suit);

function drawSlots(form) {
  const used = new Set(slots(form).flatMap((slot) => codes(slotCards(slot))));
  for (const button of all("[data-card]", form)) button.setAttribute("aria-pressed", String(used.has(button.dataset.card)));
  for (const slot of slots(form)) {
    const cards = slotCards(slot);
    const gaps = Math.max(0, Math.min(6, Number(slot.dataset.size)) - cards.length);
    const gap = () => Object.assign(document.createElement("span"), { className: "card gap" });
    one(".fan", slot).replaceChildren(...cards.map(drawCard), ...Array.from({ length: gaps }, gap));
  }
}

function isComplete(form) {
  const sizes = Object.fromEntries(slots(form).map((slot) => [slot.dataset.slot, slotCards(slot).length]));
  if ("up" in sizes) return sizes.hand === 5 && sizes.up === 1;
  return sizes.hand === 2 && [0, 3, 4].includes(sizes.board);
}

document.addEventListener("click", (event) => {
  const button = event.target.closest?.("[data-card]");
  if (!button) return;
  const form = button.closest("form");
  const code = button.dataset.card;
  const holder = slots(form).find((slot) => codes(slotCards(slot)).includes(code));
  const hasRoom = (s) => slotCards(s).length < Number(s.dataset.size);
  const chosen = slots(form).find((s) => s.dataset.slot === form.dataset.chosen && hasRoom(s));
  const slot = holder ?? chosen ?? slots(form).find(hasRoom);
  if (!slot) return;
  const cards = codes(slotCards(slot));
  one("input", slot).value = (holder ? cards.filter((c) => c !== code) : [...cards, code]).join(" ");
  drawSlots(form);
  if (isComplete(form)) form.requestSubmit();
});
// Cards go to the slot that was selected last, if it has room.
document.addEventListener("focusin", (event) => {
  const slot = event.target.closest?.("[data-slot]");
  if (!slot) return;
  const form = slot.closest("form");
  form.dataset.chosen = slot.dataset.slot;
  for (const other of slots(form)) other.classList.toggle("chosen", other === slot);
});
document.addEventListener("input", (event) => {
  const form = event.target.closest("[data-calculator]");
  if (form && event.target.matches("[data-card-input]")) drawSlots(form);
});

// In a replay, scroll the current step into view.
prepare.push((root) => {
  for (const step of all(".steps .all a[aria-current]", root)) {
    const list = step.closest(".all");
    list.scrollTop = step.offsetTop - list.offsetTop - list.clientHeight / 2;
  }
});

// The map of starting hands: describe the cell under the pointer or with the focus.
for (const kind of ["pointerover", "focusin"]) {
  document.addEventListener(kind, (event) => {
    const cell = event.target.closest?.("[data-cell]");
    const out = cell && one("[data-cell-words]");
    if (out) out.textContent = cell.title;
  });
}

// Return = fixed + coefficient × meter, computed with exact integers.
function returnAt(section, dollars) {
  const n = (name) => BigInt(section.dataset[name]);
  const top = n("fixedN") * n("coefD") + n("coefN") * BigInt(dollars) * n("fixedD");
  const scaled = (top * 1000000n) / (n("fixedD") * n("coefD"));
  return Number(scaled) / 1000000;
}

function plot(section) {
  const slider = one("[data-meter-slider]", section);
  if (!slider || !section.dataset.fixedN) return;
  const [x, top] = [Number(slider.value), Number(slider.max)];
  const max = Math.max(1.2, returnAt(section, top) * 1.05);
  const at = (dollars) => [50 + (540 * dollars) / top, 190 - (180 * returnAt(section, dollars)) / max];
  const even = 190 - 180 / max;
  one("[data-even]", section).setAttribute("d", `M50 ${even} H590`);
  one("[data-even-label]", section).setAttribute("y", even + 4);
  one("[data-curve]", section).setAttribute("d", `M${at(0)} L${at(top)}`);
  const [cx, cy] = at(x);
  one("[data-point]", section).setAttribute("cx", cx);
  one("[data-point]", section).setAttribute("cy", cy);
  one("[data-meter-out]", section).textContent = x.toLocaleString("en-SG", { minimumFractionDigits: 2 });
  one("[data-return-out]", section).textContent = `${(returnAt(section, x) * 100).toFixed(4)} %`;
}
prepare.push((root) => all(".jackpot-odds", root).forEach(plot));
document.addEventListener("input", (event) => {
  if (event.target.matches("[data-meter-slider]")) plot(event.target.closest(".jackpot-odds"));
});
