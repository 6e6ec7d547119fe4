type Task = { line: number; isDone: boolean; seen: string };

/** Sets the state of a task in a text. Returns null if its line has changed since it was shown. */
export function setTaskState(text: string, { line, isDone, seen }: Task): string | null {
  const lines = text.split('\n');
  const present = lines[line - 1];
  if (present === undefined || present.replace(/\r$/, '').replace(/^\uFEFF/, '') !== seen) return null;
  const changed = present.replace(
    /^(\uFEFF?[\s>]*(?:(?:[-*+]|\d{1,9}[.)])\s+)+)\[[ xX]\]/,
    (_, before: string) => `${before}[${isDone ? 'x' : ' '}]`,
  );
  return changed === present ? null : lines.with(line - 1, changed).join('\n');
}
