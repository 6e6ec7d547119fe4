export type LineStyle = 'bullet' | 'number' | 'task' | 'quote';

const listMark = /^(\s*)(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?/;
const styles: Readonly<Record<LineStyle, RegExp>> = {
  bullet: /^\s*[-*+][ \t]+(?!\[[ xX]\][ \t])/,
  number: /^\s*\d{1,9}[.)][ \t]+/,
  task: /^\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\[[ xX]\][ \t]+/,
  quote: /^\s*> ?/,
};

/** Gives lines a style, or removes it if all of them have it. Empty lines between others are left alone. */
export function toggleLineStyle(lines: readonly string[], style: LineStyle): string[] {
  const isOnly = lines.length === 1;
  const affected = (line: string): boolean => isOnly || line.trim() !== '';
  const isOn = lines.filter(affected).every((line) => styles[style].test(line));
  let number = 0;
  return lines.map((line) => {
    if (!affected(line)) return line;
    if (style === 'quote') return isOn ? line.replace(styles.quote, '') : `> ${line}`;
    const indent = /^\s*/.exec(line)?.[0] ?? '';
    const text = listMark.test(line) ? line.replace(listMark, '') : line.slice(indent.length);
    if (isOn) return indent + text;
    number += 1;
    const marks = { bullet: '- ', number: `${number}. `, task: '- [ ] ' };
    return indent + marks[style] + text;
  });
}

/** Makes a line a heading of this level; a line that is one already becomes text. */
export function setHeading(line: string, level: number): string {
  const [mark = ''] = /^#{1,6}[ \t]+/.exec(line) ?? [];
  const text = line.slice(mark.length);
  return mark.trim().length === level || level === 0 ? text : `${'#'.repeat(level)} ${text}`;
}

/** Ticks a task off, or opens it again. Other lines become an open task. */
export function toggleTaskLine(line: string): string {
  const [, before, mark, after] = /^(\s*(?:[-*+]|\d{1,9}[.)])[ \t]+\[)([ xX])(\].*)$/.exec(line) ?? [];
  if (before === undefined || after === undefined) return toggleLineStyle([line], 'task')[0] ?? line;
  return before + (mark === ' ' ? 'x' : ' ') + after;
}
