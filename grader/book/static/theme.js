// Before anything is painted: the theme that was chosen here earlier.
"use strict";
document.documentElement.classList.add("js");
try {
  const chosen = localStorage.getItem("grader-theme");
  if (chosen) document.documentElement.dataset.theme = chosen;
} catch { /* storage may be closed to files */ }
