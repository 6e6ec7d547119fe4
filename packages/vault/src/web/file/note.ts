/** A note taken apart: the lines as `read` numbers them, its properties, and where its body begins. */
export type Note = {
  lines: string[];
  properties: { key: string; value: string; line: number }[];
  body: string;
  /** Lines before the body. */
  skipped: number;
};

/** Only `\n` ends a line, a `\r` before it belongs to the end, and a final newline starts no further line. */
function splitLines(text: string): string[] {
  const lines = text.split('\n');
  if (lines.at(-1) === '') lines.pop();
  return lines.map((line) => line.replace(/\r$/, ''));
}

export function takeApart(text: string): Note {
  const lines = splitLines(text.replace(/^\uFEFF/, ''));
  const end =
    lines[0]?.trimEnd() === '---'
      ? lines.findIndex((line, at) => at > 0 && /^(?:---|\.\.\.)\s*$/.test(line))
      : -1;
  const skipped = end + 1;
  return {
    lines,
    properties: propertiesIn(lines.slice(1, Math.max(end, 1))),
    body: lines.slice(skipped).join('\n'),
    skipped,
  };
}

/** What code keeps in the frontmatter of a note: the header tells it. */
export function isStamp({ key, value }: Note['properties'][number]): boolean {
  if (key === 'tokens') return /^\d+$/.test(value);
  return (key === 'created' || key === 'updated') && /^\d{4}-\d\d-\d\dT/.test(value);
}

/** As they are written: what belongs to a key on further lines is put behind it. */
function propertiesIn(lines: readonly string[]): Note['properties'] {
  const properties: Note['properties'] = [];
  for (const [index, line] of lines.entries()) {
    const [, key, value = ''] = /^([^\s:#-][^:]*):(?:\s+(.*))?$/.exec(line) ?? [];
    const last = properties.at(-1);
    if (key !== undefined) properties.push({ key, value: unquoted(value.trim()), line: index + 2 });
    else if (last !== undefined && line.trim() !== '' && !line.startsWith('#'))
      last.value = [last.value, unquoted(line.trim().replace(/^- /, ''))].filter(Boolean).join(', ');
  }
  return properties;
}

function unquoted(value: string): string {
  return /^(["']).*\1$/.test(value) ? value.slice(1, -1) : value;
}
