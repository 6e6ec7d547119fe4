const opening = '<!-- keepsake:status -->';
const closing = '<!-- /keepsake:status -->';

/** Returns the status block of the overview, including its markers; null when there is none. */
export function findStatus(text: string): string | null {
  const place = findStatusRange(text);
  return place && text.slice(place.start, place.end);
}

/** Replaces the status block; returns a text without one unchanged. */
export function replaceStatus(text: string, status: string): string {
  const place = findStatusRange(text);
  return place === null ? text : text.slice(0, place.start) + status + text.slice(place.end);
}

export function wrapStatus(content: string): string[] {
  return [opening, content, closing];
}

/** Considers only the first opening marker: if it is not closed, there is no block. */
function findStatusRange(text: string): { start: number; end: number } | null {
  const start = text.indexOf(opening);
  const close = start < 0 ? -1 : text.indexOf(closing, start + opening.length);
  return close < 0 ? null : { start, end: close + closing.length };
}
