/** A message of the core ("lower case, no full stop") as a sentence. */
export function sentence(message: string): string {
  const text = message.trim();
  const first = text.slice(0, 1).toLocaleUpperCase() + text.slice(1);
  return text === "" || /[.!?…]$/u.test(first) ? first : `${first}.`;
}

/** A label at the start of a sentence: "the …" is capitalised, a name or a host stays as it is written. */
export function subject(label: string): string {
  return label.replace(/^the /, "The ");
}
