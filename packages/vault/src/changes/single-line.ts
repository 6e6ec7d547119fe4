/** Prevents callers from adding lines to a list or a commit message through an origin or summary. */
export function toSingleLine(text: string): string {
  return text.replaceAll(/[\s\p{Cc}]+/gu, ' ').trim();
}
