/** Money of the vendors, which is US dollars, and how it is written. */

const MICROS = 1_000_000;

/** "$0.0042", "$0.017", "$0.41", "$12.30": as exact as the sum is small. */
export function dollars(micros: number): string {
  const sum = micros / MICROS;
  if (micros > 0 && sum < 0.0001) return "under $0.0001";
  const digits = sum === 0 || sum >= 0.1 ? 2 : sum >= 0.01 ? 3 : 4;
  return `$${sum.toFixed(digits)}`;
}

export type Amount =
  | { readonly type: "none" }
  | { readonly type: "dollars"; readonly dollars: number }
  | { readonly type: "wrong"; readonly why: string };

const MOST = 1_000_000;

/** What a person wrote into a field for dollars. Empty is none. */
export function readDollars(text: string): Amount {
  const plain = text.trim().replace(/^(?:US)?\$\s*/i, "");
  if (plain === "") return { type: "none" };
  // A comma before one or two digits is the decimal point of many countries; elsewhere it is a guess.
  const point = plain.replace(/^(\d+),(\d{1,2})$/, "$1.$2");
  if (!/^(?:\d+\.?\d*|\.\d+)$/.test(point)) {
    return { type: "wrong", why: "Write a sum in US dollars, for example 0.50." };
  }
  const sum = Number(point);
  if (sum === 0) return { type: "wrong", why: "Leave it empty for no limit." };
  if (sum > MOST) return { type: "wrong", why: "That is more than a limit can be." };
  return { type: "dollars", dollars: sum };
}
