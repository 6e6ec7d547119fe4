const opening = '<!-- keepsake:status -->';
const closing = '<!-- /keepsake:status -->';

/** The lines in the overview that code keeps: between these marks, which are part of it. Null where there are none. */
export function findStatus(text: string): string | null {
  const place = placeOfStatus(text);
  return place && text.slice(place.start, place.end);
}

/** The text with another status in the place of the one it has; a text that has none stays as it is. */
export function replaceStatus(text: string, status: string): string {
  const place = placeOfStatus(text);
  return place === null ? text : text.slice(0, place.start) + status + text.slice(place.end);
}

export function statusLines(content: string): string[] {
  return [opening, content, closing];
}

/** Looked for once: when the first mark that opens it is not closed, none is. */
function placeOfStatus(text: string): { start: number; end: number } | null {
  const start = text.indexOf(opening);
  const close = start < 0 ? -1 : text.indexOf(closing, start + opening.length);
  return close < 0 ? null : { start, end: close + closing.length };
}
