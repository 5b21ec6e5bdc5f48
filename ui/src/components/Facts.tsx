/** What is known of a model, a chip each; nothing when nothing is known. */
export function Facts({ label, facts }: { label: string; facts: readonly string[] }) {
  if (facts.length === 0) return null;
  return (
    <ul aria-label={label} className="flex flex-wrap gap-1.5">
      {facts.map((fact) => (
        <li
          key={fact}
          className="rounded-s border border-line px-1.5 py-0.5 text-micro [overflow-wrap:anywhere] text-ink-2"
        >
          {fact}
        </li>
      ))}
    </ul>
  );
}
