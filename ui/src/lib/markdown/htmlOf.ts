/** The elements of a text without the boxes that only the splitter makes; for tests. */
export function htmlOf(container: HTMLElement): string {
  return [...container.querySelectorAll(".answer > div")]
    .map((block) => {
      const inner = block.firstElementChild;
      return inner?.classList.contains("answer-block") ? inner.innerHTML : block.innerHTML;
    })
    .join("")
    .replace(/\s+/g, " ")
    .replace(/\s*(<[^>]*>)\s*/g, "$1");
}
