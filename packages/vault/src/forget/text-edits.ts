/** A range of a text, in UTF-16 units; `end` is exclusive. */
export type Span = { start: number; end: number };

/** A range of a text and what replaces it. Lists of edits are in order and do not overlap. */
export type TextEdit = Span & { insert: string };

/** The part of the text between `from` and `to` after the edits. An edit belongs to the part in which it starts. */
export function applyEdits(text: string, edits: readonly TextEdit[], from = 0, to = text.length): string {
  let edited = '';
  let at = from;
  for (const { start, end, insert } of edits) {
    if (end <= from || start >= to) continue;
    edited += text.slice(at, Math.max(at, start)) + (start >= from ? insert : '');
    at = Math.min(to, Math.max(at, end));
  }
  return edited + text.slice(at, to);
}

/** The range of the original text from which a range of the edited text comes; null if all of it was inserted. */
export function toOriginal(edits: readonly TextEdit[], { start, end }: Span): Span | null {
  let first: number | null = null;
  let last = 0;
  let shift = 0;
  const take = (from: number, to: number): void => {
    if (to <= from) return;
    first ??= from + shift;
    last = to + shift;
  };
  let at = start;
  for (const edit of edits) {
    const editedStart = edit.start - shift;
    if (editedStart >= end) break;
    take(at, Math.min(end, editedStart));
    shift += edit.end - edit.start - edit.insert.length;
    at = Math.max(at, editedStart + edit.insert.length);
  }
  take(at, end);
  return first === null ? null : { start: first, end: last };
}

/** The spans in order, those that overlap or touch as one. */
export function mergeSpans(spans: readonly Span[]): Span[] {
  const merged: Span[] = [];
  for (const { start, end } of spans.toSorted((a, b) => a.start - b.start)) {
    const last = merged.at(-1);
    if (last !== undefined && start <= last.end) last.end = Math.max(last.end, end);
    else merged.push({ start, end });
  }
  return merged;
}
