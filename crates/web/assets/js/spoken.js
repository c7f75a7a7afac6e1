// For those who listen: what is new, once. One's own cards first, then the result, then the new lines from the oldest to the newest.

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
  const said = [...(mine && mine !== lastHand ? [mine] : []), ...fresh.map((line) => line.firstChild?.textContent ?? "")];
  lastHand = mine;
  if (said.length) region.textContent = said.join(" ");
});

// A reminder of the time, every hour of play in this window.
const PAUSE = 10 * 60000;
setInterval(() => {
  if (!one("#rail .act") || !one("#account .purse")) return;
  const now = Date.now();
  const read = (name) => Number(sessionStorage.getItem(`baize.${name}`) ?? 0);
  const write = (name, value) => sessionStorage.setItem(`baize.${name}`, String(value));
  if (now - read("seen") > PAUSE) { write("since", now); write("told", 0); }
  write("seen", now);
  const hours = Math.floor((now - read("since")) / 3600000);
  if (hours > read("told")) {
    write("told", hours);
    toast(`You have been playing for ${hours === 1 ? "an hour" : `${hours} hours`}. Your limits are under your name.`);
  }
}, 30000);
