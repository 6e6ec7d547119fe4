/** Escapes only what would be read as markup: `snake_case`, `2 * 3` and `[sic]` stay as they are. */
export function escapeMarkdown(text: string): string {
  return escapeInline(text)
    .replace(/^\[(?=[^\]]*\]:)|^(?:#{1,6}|[*+])(?=\s|$)|^>|^[-=]+$/, '\\$&')
    .replace(/^(\d{1,9})(?=[.)](?:\s|$))/, '$1\\');
}

/** For text that does not begin a line. */
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

/** Of a line that is, or without its backslash would be, an item of a numbered list. */
export function numberOf(line: string): number | undefined {
  const [, digits] = /^(\d{1,9})\\?[.)](?:\s|$)/.exec(line) ?? [];
  return digits === undefined ? undefined : Number(digits);
}

/** For a place where the line is no item of a list, or means to be one. */
export function withoutNumberEscape(markdown: string): string {
  return markdown.replace(/^(\d+)\\(?=[.)])/, '$1');
}
