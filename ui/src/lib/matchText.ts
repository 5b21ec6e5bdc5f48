/**
 * How well a query fits a text: 0 is not at all, higher is better.
 *
 * Letters in order anywhere count; beginnings of words and runs of letters count more.
 */
export function matchScore(query: string, text: string): number {
  const wanted = [...fold(query)];
  if (wanted.length === 0) return 1;
  const letters = [...fold(text)];
  const whole = letters.join("").indexOf(wanted.join(""));
  if (whole >= 0) return 1000 - Math.min(whole, 500) + (startsWord(letters, whole) ? 500 : 0);
  let score = 0;
  let at = 0;
  for (const letter of wanted) {
    const found = letters.indexOf(letter, at);
    if (found < 0) return 0;
    score += found === at ? 3 : startsWord(letters, found) ? 4 : 1;
    at = found + 1;
  }
  return score;
}

function startsWord(letters: readonly string[], at: number): boolean {
  return at === 0 || letters[at - 1] === " ";
}

function fold(text: string): string {
  return text.normalize("NFC").toLocaleLowerCase().trim();
}
