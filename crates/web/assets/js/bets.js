// Bets: select a chip in the tray, click the felt to bet it. The form's fields hold the bets; the felt shows them.

const CHIP_CLASSES = [[5000, "c5000"], [1000, "c1000"], [500, "c500"], [100, "c100"], [25, "c25"], [5, "c5"], [0, "c1"]];
const betForm = () => one("#rail form.bets");
const amountsOf = (form) => ["seat", "ante", "bonus", "jackpot"].map((name) => form.elements[name]).filter(Boolean);
const money = (value) => Number(value).toLocaleString("en-SG", { minimumFractionDigits: value % 1 ? 2 : 0, maximumFractionDigits: 2 });
const bounded = (field, value) => {
  const step = Number(field.step) || 0.01;
  const top = Math.min(Number(field.max || Infinity), Math.max(0, value));
  return Math.round(Math.floor(top / step + 1e-9) * step * 100) / 100;
};

const undone = [];
const snapshot = (form) => amountsOf(form).map((field) => field.value);
function remember(form) {
  undone.push(snapshot(form));
  if (undone.length > 50) undone.shift();
}
function restore(form, values) {
  amountsOf(form).forEach((field, n) => { if (values[n] !== undefined) field.value = values[n]; });
}

// Shows the form's bets on the felt and their sum on the button.
function drawPlanned(form) {
  for (const stack of all(".planned")) stack.remove();
  for (const spot of all("[data-planned]")) {
    spot.ariaLabel = spot.dataset.planned;
    delete spot.dataset.planned;
  }
  for (const box of all(".box.draft")) box.classList.remove("draft");
  const seat = form.elements.seat?.value;
  one(`#box-${seat}`)?.classList.add("draft");
  let sum = 0;
  for (const area of ["ante", "bonus", "jackpot"]) {
    const amount = Number(form.elements[area]?.value || 0);
    sum += amount;
    const spot = one(`[data-spot="${area}"][data-seat="${seat}"]`);
    if (!spot || !amount || one(".stack", spot)) continue;
    const stack = make("span", { ariaHidden: "true", className: `stack planned h1 ${CHIP_CLASSES.find(([worth]) => amount >= worth)[1]}` },
      make("span", { className: "chip" }), make("span", { className: "amount", textContent: money(amount) }));
    spot.append(stack);
    spot.dataset.planned = spot.ariaLabel;
    spot.ariaLabel += `, ${money(amount)}`;
  }
  const button = one("[data-deed]", form);
  if (button) one("span", button).textContent = button.dataset.deed.replace(sum ? "{}" : "{} ", sum ? money(sum) : "");
  const undo = one("[data-undo]", form);
  if (undo) undo.disabled = undone.length === 0;
}

function changed(form) {
  for (const field of amountsOf(form)) field.dataset.touched = "1";
  drawPlanned(form);
}

function placeChip(form, area, seat, button) {
  const field = form.elements[area];
  if (!field) return;
  remember(form);
  if (form.elements.seat.value !== seat) form.elements.seat.value = seat;
  if (field.tagName === "SELECT") {
    field.selectedIndex = (field.selectedIndex + 1) % field.options.length;
  } else {
    const chip = Number(one('[data-chip][aria-pressed="true"]', form)?.dataset.chip || 0);
    const now = Number(field.value || 0);
    // The first chip replaces an amount that was prefilled.
    const from = button.dataset.placed || field.dataset.touched ? now : 0;
    field.value = String(bounded(field, from + chip));
    button.dataset.placed = "1";
  }
  changed(form);
  sound("chip");
}

prepare.push(() => {
  const form = betForm();
  for (const box of all(".box.draft")) if (!form) box.classList.remove("draft");
  if (!form) { for (const stack of all(".planned")) stack.remove(); undone.length = 0; return; }
  for (const hidden of all(".chip-tray, .felt-hint", form)) hidden.hidden = false;
  // On a phone, fold the amounts while a result is shown, so that they cover no cards.
  const amounts = one("#amounts", form);
  if (amounts && !amounts.dataset.seen) {
    amounts.dataset.seen = "1";
    if (matchMedia("(max-width: 720px)").matches && one("#rail .outcome")) amounts.open = false;
  }
  drawPlanned(form);
});

document.addEventListener("click", (event) => {
  const form = betForm();
  const button = event.target.closest?.("[data-spot], [data-chip], [data-undo], [data-double], [data-clear], [data-rebet]");
  if (!form || !button) return;
  if (button.dataset.spot) placeChip(form, button.dataset.spot, button.dataset.seat, button);
  else if (button.dataset.chip) for (const chip of all("[data-chip]", form)) chip.setAttribute("aria-pressed", String(chip === button));
  else if ("undo" in button.dataset) {
    const values = undone.pop();
    if (values) restore(form, values);
    changed(form);
  } else {
    remember(form);
    for (const field of amountsOf(form)) {
      if ("rebet" in button.dataset) {
        if (field.tagName === "SELECT") field.selectedIndex = Math.max(0, [...field.options].findIndex((o) => o.defaultSelected));
        else field.value = field.defaultValue;
      } else if (field.name === "seat") continue;
      else if (field.tagName === "SELECT") { if ("clear" in button.dataset) field.selectedIndex = 0; }
      else field.value = "clear" in button.dataset ? "0" : String(bounded(field, Number(field.value || 0) * 2));
    }
    changed(form);
  }
});
document.addEventListener("input", (event) => {
  const form = event.target.closest?.("#rail form.bets");
  if (form) drawPlanned(form);
});
