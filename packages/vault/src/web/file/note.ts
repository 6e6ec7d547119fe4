/** A parsed note: its lines, numbered as by the `read` tool, its properties and its body. */
export type ParsedFile = {
  lines: string[];
  properties: { key: string; value: string; line: number }[];
  body: string;
  /** Number of lines before the body. */
  frontmatterLines: number;
};

/** Splits at `\n` or `\r\n`. A final newline does not start another line. */
function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.replace(/\r$/, ''));
}

export function parseNoteFile(text: string): ParsedFile {
  const lines = splitLines(text.replace(/^\uFEFF/, ''));
  const end =
    lines[0]?.trimEnd() === '---'
      ? lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
      : -1;
  const frontmatterLines = end + 1;
  return {
    lines,
    properties: parseProperties(lines.slice(1, Math.max(end, 1))),
    body: lines.slice(frontmatterLines).join('\n'),
    frontmatterLines,
  };
}

/** Whether this is a stamp. The header of the page shows stamps, so they are left out of the properties. */
export function isMaintainedField({ key, value }: ParsedFile['properties'][number]): boolean {
  if (key === 'tokens') return /^\d+$/.test(value);
  return (key === 'created' || key === 'updated') && /^\d{4}-\d\d-\d\dT/.test(value);
}

/** Parses `key: value` lines. Further lines of a value, such as list items, are joined with commas. */
function parseProperties(lines: readonly string[]): ParsedFile['properties'] {
  const properties: ParsedFile['properties'] = [];
  for (const [index, line] of lines.entries()) {
    const [, key, value = ''] = /^([^\s:#-][^:]*):(?:\s+(.*))?$/.exec(line) ?? [];
    const last = properties.at(-1);
    if (key !== undefined) properties.push({ key, value: unquote(value.trim()), line: index + 2 });
    else if (last !== undefined && line.trim() !== '' && !line.startsWith('#'))
      last.value = [last.value, unquote(line.trim().replace(/^- /, ''))].filter(Boolean).join(', ');
  }
  return properties;
}

function unquote(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
