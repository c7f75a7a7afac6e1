// The proof of the shuffle: computes the SHA-256 of the published text and compares it with the commitment.

document.addEventListener("click", async (event) => {
  if (!event.target.closest?.("[data-check-proof]")) return;
  const section = event.target.closest("[data-proof]");
  const commitment = one("[data-commitment]", section).textContent.trim();
  const verdict = one("[data-verdict]", section);
  const say = (words, good) => { verdict.textContent = words; verdict.className = `verdict ${good ? "good" : "bad"}`; };
  if (!globalThis.crypto?.subtle) {
    say("This browser computes hashes only over https or on localhost. Use the command below.", false);
    return;
  }
  const sha256 = async (text) => {
    const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text)));
    return [...hash].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  };
  const computed = await sha256(one("[data-preimage]", section).textContent);
  one("[data-computed]", section).textContent = computed;
  // Each visible card must match its own commitment, which the deck's hash covers.
  for (const text of all("[data-card-text]", section)) {
    const promise = one("[data-card-promise]", text.parentElement).textContent;
    if (await sha256(text.textContent) !== promise) {
      say(`✗ ${text.textContent} does not match its commitment.`, false);
      return;
    }
  }
  if (computed === commitment.toLowerCase()) say("✓ The hashes agree: the deck was fixed before bets opened.", true);
  else say("✗ The hashes differ: this is not the published deck.", false);
});

// A link from the table starts the check at once.
if (location.hash === "#proof") addEventListener("load", () => one("[data-check-proof]")?.click());
