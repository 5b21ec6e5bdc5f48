const whole = new Intl.NumberFormat("en", { maximumFractionDigits: 0 });

/** "1,240". */
export function exact(tokens: number): string {
  return whole.format(tokens);
}

/** "940", "18.4k", "200k", "1.2M": for what is read at a glance. */
export function rough(tokens: number): string {
  if (tokens < 1_000) return String(tokens);
  const [size, unit] = tokens < 999_500 ? [tokens / 1_000, "k"] : [tokens / 1_000_000, "M"];
  return `${Number(size.toFixed(size < 100 ? 1 : 0))}${unit}`;
}
