/** Escapes only characters that would be parsed as markup: `snake_case`, `2 * 3` and `[sic]` stay as they are. */
export function escapeMarkdown(text: string): string {
  return escapeInline(text)
    .replace(/^\[(?=[^\]]*\]:)|^(?:#{1,6}|[*+])(?=\s|$)|^>|^[-=]+$/, '\\$&')
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');
}

/** Like `escapeMarkdown`, for text that is not at the start of a line. */
export function escapeInline(text: string): string {
  return text
    .replaceAll(/\\(?=[!-/:-@[-`{-~]|$)/g, '\\\\')
    .replaceAll(/\*(?=[^\s\p{P}\p{S}])|(?<![^\s\p{P}\p{S}])\*(?=\S|$)/gu, '\\*')
    .replaceAll(/(?<![\p{L}\p{N}])_(?=\S)/gu, '\\_')
    .replaceAll('`', '\\`')
    .replaceAll('~~', '\\~~')
    .replaceAll(/\[(?=[[^])|\](?=\()/g, '\\$&')
    .replaceAll(/<(?=[a-z/!?])|&(?=#?\w+;)/gi, '\\$&');
}

/** The list number at the start of a line that is a numbered list item, or would be one without its backslash. */
export function listNumber(line: string): number | undefined {
  const [, digits] = /^(\d{1,9})\\?[.)](?:\s|$)/.exec(line) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** Removes the backslash after a list number, for lines that cannot become a list item or should be one. */
export function unescapeListNumber(markdown: string): string {
  return markdown.replace(/^(\d+)\\(?=[.)])/, '$1');
}
