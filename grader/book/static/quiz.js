// Predict, then see: an answer is shown once there is a prediction, which stays in this browser.
"use strict";
{
  const STORE = "grader-quiz";
  const forms = Array.from(document.querySelectorAll("form.question"));
  const plain = (text) => text.replaceAll("`", "").trim().replace(/^["']+|["']+$/g, "").toLowerCase()
    .split(/\s+/).filter(Boolean).join(" ");
  let kept = {};
  try { kept = JSON.parse(localStorage.getItem(STORE)) ?? {}; } catch { /* a file, or none yet */ }

  const isRight = (form, said) => form.dataset.answer === plain(said);
  function tell() {
    const asked = forms.filter((form) => "answer" in form.dataset);
    const right = asked.filter((form) => isRight(form, kept[form.dataset.id] ?? "")).length;
    const some = forms.some((form) => form.dataset.id in kept);
    document.getElementById("score").textContent = some ? `${right} of ${asked.length} predictions right so far.` : "";
  }
  function reveal(form, said) {
    const verdict = form.querySelector(".verdict"), answer = form.nextElementSibling;
    const open = !("answer" in form.dataset), right = isRight(form, said);
    verdict.textContent = open ? "Compare." : right ? "✓ Right." : "✗ Not so.";
    verdict.className = `verdict ${open ? "" : right ? "right" : "wrong"}`;
    answer.hidden = false;
    answer.open = true;
  }
  for (const form of forms) {
    const answer = form.nextElementSibling, id = form.dataset.id;
    answer.hidden = true;
    form.onsubmit = (event) => {
      event.preventDefault();
      const said = String(new FormData(form).get("answer") ?? "");
      if (!said.trim()) {
        form.querySelector(".verdict").textContent = "Predict first: a guess is enough.";
        return;
      }
      kept[id] = said;
      try { localStorage.setItem(STORE, JSON.stringify(kept)); } catch { /* it is not kept then */ }
      reveal(form, said);
      tell();
    };
    if (id in kept) {
      const field = form.elements.answer;
      field.value = kept[id];
      reveal(form, kept[id]);
      answer.open = false;
    }
  }
  if (forms.length) tell();
}
