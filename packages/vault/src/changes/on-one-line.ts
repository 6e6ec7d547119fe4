/** Keeps a caller who names an origin or a summary from adding lines to a list, or to the message of a commit. */
export function onOneLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}
