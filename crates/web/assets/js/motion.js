// Animations: cards are dealt, chips slide to the winner. Short, never block a click, and off for readers who prefer reduced motion.
// Sounds are off by default and synthesized here.

let faces;
prepare.push(() => {
  const felt = one("#felt");
  if (!felt) return;
  const [before, first] = [faces, !faces];
  faces = new Set(all(".card:not(.gap)", felt).map((card) => card.id + card.getAttribute("aria-label")));
  if (!first && [...faces].some((face) => !before.has(face))) sound("card");
  slide(felt, first);
});

// Chips of settled boxes: winnings slide from the dealer to the box, lost stakes to the dealer.
const slid = new Set();
function slide(felt, first) {
  const dealer = one(".dealer-hand", felt);
  const round = one(".round-state .round")?.textContent ?? "";
  for (const spot of all(".spot.win, .spot.lose", felt)) {
    const key = `${round}/${spot.closest(".box")?.id}/${spot.className}`;
    if (slid.has(key)) continue;
    slid.add(key);
    if (first || reducedMotion.matches || !dealer || !spot.animate) continue;
    const [from, to] = [dealer.getBoundingClientRect(), spot.getBoundingClientRect()];
    const away = `translate(${from.x + from.width / 2 - to.x - to.width / 2}px, ${from.y + from.height / 2 - to.y - to.height / 2}px)`;
    const won = spot.classList.contains("win");
    const moving = one(won ? ".paid" : ".chip", spot);
    const frames = won ? [{ transform: away, opacity: 0 }, { transform: "none", opacity: 1 }] : [{ transform: "none", opacity: 1 }, { transform: away, opacity: 0 }, { transform: "none", opacity: .4 }];
    moving?.animate(frames, { duration: won ? 450 : 600, easing: "ease-out" });
    sound("chip");
  }
}
// A click or a key finishes running animations.
for (const kind of ["pointerdown", "keydown"]) {
  document.addEventListener(kind, () => { for (const one of document.getAnimations?.() ?? []) if (one.effect?.target?.closest?.("#felt")) one.finish(); });
}

// Settings stored in this browser.
const setting = (name, initial) => (localStorage.getItem(`baize.${name}`) ?? initial) === "on";
const switches = { keys: "on", sounds: "off" };
function drawSwitches(root) {
  for (const button of all("[data-switch]", root)) {
    button.hidden = false;
    button.setAttribute("aria-pressed", String(setting(button.dataset.switch, switches[button.dataset.switch])));
  }
  document.documentElement.classList.toggle("no-keys", !setting("keys", "on"));
}
prepare.push(drawSwitches);
document.addEventListener("click", (event) => {
  const name = event.target.closest?.("[data-switch]")?.dataset.switch;
  if (!name) return;
  localStorage.setItem(`baize.${name}`, setting(name, switches[name]) ? "off" : "on");
  drawSwitches(document);
  sound("chip");
});

let audio = null;
function sound(what) {
  if (!setting("sounds", "off")) return;
  audio ??= new AudioContext();
  const [start, length] = [audio.currentTime, what === "card" ? .07 : .05];
  const noise = audio.createBuffer(1, audio.sampleRate * length, audio.sampleRate);
  const data = noise.getChannelData(0);
  for (let n = 0; n < data.length; n += 1) data[n] = (Math.random() * 2 - 1) * (1 - n / data.length) ** 2;
  const source = new AudioBufferSourceNode(audio, { buffer: noise });
  const tone = new BiquadFilterNode(audio, { type: "bandpass", frequency: what === "card" ? 1800 : 4200, Q: what === "card" ? .8 : 6 });
  source.connect(tone).connect(new GainNode(audio, { gain: .35 })).connect(audio.destination);
  source.start(start);
}
