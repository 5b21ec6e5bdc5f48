// Sets the theme before the first paint. External and tiny, because the page runs no inline script.
(() => {
  let wanted = "system";
  try {
    wanted = localStorage.getItem("namma.theme") ?? "system";
  } catch {
    // No storage: follow the system.
  }
  const dark = wanted === "dark" || (wanted !== "light" && matchMedia("(prefers-color-scheme: dark)").matches);
  document.documentElement.dataset.theme = dark ? "dark" : "light";
})();
