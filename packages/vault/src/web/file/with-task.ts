type Task = { line: number; isDone: boolean; seen: string };

/** The text with this task ticked off or open; null when its line is not what was seen. */
export function withTask(text: string, { line, isDone, seen }: Task): string | null {
  const lines = text.split('\n');
  const present = lines[line - 1];
  if (present === undefined || present.replace(/\r$/, '').replace(/^\uFEFF/, '') !== seen) return null;
  const changed = present.replace(
    /^(\uFEFF?[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)+)\[[ xX]\]/,
    (_, before: string) => `${before}[${isDone ? 'x' : ' '}]`,
  );
  return changed === present ? null : lines.with(line - 1, changed).join('\n');
}
