// Announces news to screen readers, once: the reader's own cards, the result, then new log lines, oldest first.

let lastLine = null;
let lastHand = "";
prepare.push(() => {
  const region = one("#spoken");
  const lines = all("#log .latest li");
  if (!region || (!lines.length && lastLine === null)) return;
  const number = (line) => Number(line.id.slice(1));
  const newest = lines.length ? number(lines[0]) : 0;
  const began = lastLine === null || newest < lastLine;
  const fresh = began && lastLine === null ? [] : lines.filter((line) => began || number(line) > lastLine).reverse();
  lastLine = newest;
  const own = one("#rail .own");
  const cards = own ? all(".card.up", own).map((card) => card.getAttribute("aria-label")) : [];
  const hand = cards.length ? `Your cards: ${cards.join(", ")}. ${one("#rail .made")?.textContent ?? ""}` : "";
  const result = all("#rail .outcome, #rail .because").map((line) => line.textContent.trim()).join(". ");
  const mine = `${hand}${result}`;
  const announced = [...(mine && mine !== lastHand ? [mine] : []), ...fresh.map((line) => line.firstChild?.textContent ?? "")];
  lastHand = mine;
  if (announced.length) region.textContent = announced.join(" ");
});

// Reminds players of the time after every hour of play in this window. A longer pause starts a new hour.
const PAUSE = 10 * 60000;
setInterval(() => {
  if (!one("#rail .act") || !one("#account .purse")) return;
  const now = Date.now();
  const read = (name) => Number(sessionStorage.getItem(`baize.${name}`) ?? 0);
  const write = (name, value) => sessionStorage.setItem(`baize.${name}`, String(value));
  if (now - read("seen") > PAUSE) { write("since", now); write("reminded", 0); }
  write("seen", now);
  const hours = Math.floor((now - read("since")) / 3600000);
  if (hours > read("reminded")) {
    write("reminded", hours);
    toast(`You have been playing for ${hours === 1 ? "an hour" : `${hours} hours`}. Your limits are under your name.`);
  }
}, 30000);
