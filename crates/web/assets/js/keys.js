// Keyboard shortcuts: data-key names the key that clicks (or focuses) an element, unless the user is typing. "?" lists them.

const typing = (target) => target.closest("input:not([type=checkbox]):not([type=radio]), select, textarea, [contenteditable]");

document.addEventListener("keydown", (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return;
  // A held key acts once.
  if (event.repeat && (event.key === "Enter" || event.key === " ") && event.target.closest("button, a")) event.preventDefault();
  if (event.repeat) return;
  if (event.key === "Escape" && typing(event.target)) {
    event.target.blur();
    return;
  }
  if (typing(event.target)) return;
  // A card reader types into the card field, wherever the focus is.
  const entry = one("#console form.entry input[name=cards]");
  if (entry && /^[2-9tjqka1]$/i.test(event.key)) {
    entry.focus();
    return;
  }
  if (event.key.length === 1 && !setting("keys", "on")) return;
  if (event.key === "?") {
    const words = all("[data-key]").filter((e) => e.offsetParent).map((e) => {
      const copy = e.cloneNode(true);
      all("kbd", copy).forEach((k) => k.remove());
      return `${e.dataset.key}: ${(copy.textContent || e.name || "").trim()}`;
    });
    toast(words.join("  ·  ") || "No keys on this page.");
    return;
  }
  const target = all("[data-key]").find((e) => e.dataset.key === event.key && e.offsetParent !== null);
  if (!target) return;
  event.preventDefault();
  if (target.matches("input")) target.focus();
  else target.click();
});

// Typed cards are parsed and drawn as you type: `as10d kh`, in any case, with or without spaces.
const SUITS = { c: "c", d: "d", h: "h", s: "s", "♣": "c", "♦": "d", "♥": "h", "♠": "s" };
const NAMES = { a: "Ace", k: "King", q: "Queen", j: "Jack", t: "Ten", 10: "Ten", 9: "Nine", 8: "Eight", 7: "Seven", 6: "Six", 5: "Five", 4: "Four", 3: "Three", 2: "Two" };
const SUIT_NAMES = { c: "Clubs", d: "Diamonds", h: "Hearts", s: "Spades" };

function readCards(text) {
  const cards = [];
  let rest = text.trim().toLowerCase().replace(/[,;]/g, " ");
  while (rest) {
    const found = /^\s*(10|[2-9tjqka])([cdhs♣♦♥♠])/.exec(rest);
    if (!found) return { cards, rest: rest.trim() };
    cards.push({ rank: found[1] === "10" ? "t" : found[1], suit: SUITS[found[2]] });
    rest = rest.slice(found[0].length);
  }
  return { cards, rest: "" };
}

function suitIcon(suit) {
  const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
  svg.setAttribute("class", "suit");
  svg.setAttribute("viewBox", "0 0 32 32");
  const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
  use.setAttribute("href", `#su-${suit}`);
  svg.append(use);
  return svg;
}

function drawCard({ rank, suit }) {
  const icon = () => suitIcon(suit);
  const card = document.createElement("span");
  card.className = `card up ${suit === "d" || suit === "h" ? "red" : "black"}`;
  card.setAttribute("role", "img");
  card.setAttribute("aria-label", `${NAMES[rank]} of ${SUIT_NAMES[suit]}`);
  const corner = document.createElement("span");
  corner.className = "corner";
  const letter = document.createElement("b");
  letter.textContent = rank === "t" ? "10" : rank.toUpperCase();
  corner.append(letter, icon());
  const pip = document.createElement("span");
  pip.className = "pip";
  pip.append(icon());
  card.append(corner, pip);
  return card;
}

document.addEventListener("input", (event) => {
  const field = event.target.closest("[data-card-input]");
  const out = field && one(".typed-cards", field.form);
  if (!out) return;
  const { cards, rest } = readCards(field.value);
  out.replaceChildren(...cards.map(drawCard), ...(rest ? [document.createTextNode(` “${rest}”?`)] : []));
});

// A field that filters a list; Enter opens the first match.
function filterList(field) {
  const list = document.getElementById(field.dataset.filter);
  const wanted = field.value.trim().toLowerCase().split(/\s+/);
  const items = all("[data-words]", list);
  for (const item of items) item.hidden = !wanted.every((word) => item.dataset.words.toLowerCase().includes(word));
  for (const part of all(".subject", list)) part.hidden = !one("[data-words]:not([hidden])", part);
  one("[data-filter-none]", list).hidden = items.some((item) => !item.hidden);
}
prepare.push((root) => {
  for (const box of all("[data-filter-box]", root)) {
    box.hidden = false;
    filterList(one("[data-filter]", box));
  }
});
document.addEventListener("input", (event) => { if (event.target.matches("[data-filter]")) filterList(event.target); });
document.addEventListener("keydown", (event) => {
  if (!event.target.matches?.("[data-filter]") || (event.key !== "Enter" && event.key !== "ArrowDown")) return;
  event.preventDefault();
  const first = one("[data-words]:not([hidden]) a", document.getElementById(event.target.dataset.filter));
  if (event.key === "Enter") first?.click();
  else first?.focus();
});

// The pad of 52 cards: a tap adds a card, a second tap removes it; the form is sent once the cards due are complete.
// The page lists only open cards, so the cards entered in this browser are remembered for the round, entry by entry.
const padKey = `entered ${location.pathname}`;
const padEntries = () => JSON.parse(sessionStorage.getItem(padKey) ?? "[]");
const savePadEntries = (entries) => sessionStorage.setItem(padKey, JSON.stringify(entries));
function drawPads(root) {
  for (const pad of all(".pad", root)) {
    if (padEntries().some((entry) => entry.round !== pad.dataset.round)) savePadEntries([]);
    // Forget an entry that was refused.
    if (one(".notice", pad.parentElement)) savePadEntries(padEntries().slice(0, -1));
    const out = [...pad.dataset.out.split(" "), ...padEntries().flatMap((entry) => entry.cards)];
    pad.replaceChildren(...["s", "h", "d", "c"].map((suit) => {
      const row = document.createElement("div");
      row.className = "row";
      for (const rank of "akqjt98765432") {
        const key = document.createElement("button");
        key.type = "button";
        key.tabIndex = -1;
        key.className = "hd".includes(suit) ? "pick red" : "pick black";
        key.dataset.pad = rank + suit;
        key.disabled = out.includes(rank + suit);
        const short = rank === "t" ? "10" : rank.toUpperCase();
        key.setAttribute("aria-label", `${short} of ${SUIT_NAMES[suit]}`);
        key.append(short, suitIcon(suit));
        row.append(key);
      }
      return row;
    }));
    pad.hidden = false;
  }
}
prepare.push(drawPads);
let takenBack = null;
document.addEventListener("submit", (event) => {
  const pad = one(".pad", event.target);
  const cards = pad ? readCards(event.target.elements.cards.value).cards.map((card) => card.rank + card.suit) : [];
  // The same form sent twice is one entry.
  if (cards.length && padEntries().at(-1)?.cards.join() !== cards.join()) savePadEntries([...padEntries(), { round: pad.dataset.round, cards }]);
  if (one("[value=take-back]", event.target)) {
    takenBack = padEntries().at(-1);
    savePadEntries(padEntries().slice(0, -1));
  }
  // Runs before the form is sent, which empties the field.
}, true);
// Undo the bookkeeping of a form that was refused.
document.addEventListener("refused", ({ detail: form }) => {
  if (one(".pad", form)) savePadEntries(padEntries().slice(0, -1));
  else if (takenBack && one("[value=take-back]", form)) savePadEntries([...padEntries(), takenBack]);
  else return;
  drawPads(document);
});
document.addEventListener("click", (event) => {
  const key = event.target.closest?.("[data-pad]");
  if (!key) return;
  const form = key.closest("form");
  const field = form.elements.cards;
  // Ignore cards that are already out, even if the field still contains them.
  const out = (card) => one(`[data-pad="${card}"]`, form)?.disabled;
  const codes = readCards(field.value).cards.map((card) => card.rank + card.suit).filter((card) => !out(card));
  const code = key.dataset.pad;
  field.value = (codes.includes(code) ? codes.filter((one) => one !== code) : [...codes, code]).join(" ");
  field.dispatchEvent(new Event("input", { bubbles: true }));
  if (readCards(field.value).cards.length === Number(form.dataset.cards)) form.requestSubmit();
});
