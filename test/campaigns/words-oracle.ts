/* Computes the expected content of a file after a call, independently of the code under test. */

/** Whether a text cannot be stored in a file at all. */
export function isUnstorable(text: string): boolean {
  return text.includes('\0') || /\p{Surrogate}/u.test(text);
}

/** Lines as ADR 4 defines them: only `\n` ends one, and a `\r` right before it belongs to the line ending. */
export function linesOf(text: string): { line: string; end: string }[] {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (body === '' && text !== '') return [{ line: '', end: '' }];
  return [...body.matchAll(/([^\n]*?)(\r?\n|$)/g)]
    .map(([, line = '', end = '']) => ({ line, end }))
    .filter(({ line, end }) => line !== '' || end !== '');
}

/** A line as `read` has to show it. */
export function shown(line: string): string {
  return line.replaceAll('\r', '␍');
}

const together = (lines: readonly { line: string; end: string }[]): string =>
  lines.map(({ line, end }) => line + end).join('');

/**
 * The text after lines `from` to `to` were replaced; null when line numbers in the replacement cannot be distinguished
 * from text.
 */
export function edited(text: string, from: number, to: number, replacement: string): string | null {
  const mark = text.startsWith('\ufeff') ? '\ufeff' : '';
  const lines = linesOf(text);
  const above = together(lines.slice(0, from - 1));
  const below = together(lines.slice(to));
  if (replacement === '') return mark + above + below;
  const numbers = replacement
    .replace(/\r?\n$/, '')
    .split(/\r?\n/)
    .map((row) => /^\s*(\d+)\s*\|(?: |$)/.exec(row)?.[1])
    .map((number) => (number === undefined ? NaN : Number(number)));
  const isRising = numbers.every((number, index) => number > (numbers[index - 1] ?? 0));
  const isOfLines = isRising && numbers.every((number) => number >= from && number <= to);
  const isCounting = numbers.every((number, index) => number === from + index);
  if (isCounting && !isOfLines) return null;
  let inserted = replacement.replaceAll('\r\n', '\n');
  if (isOfLines)
    inserted = inserted
      .split('\n')
      .map((row) => row.replace(/^\s*\d+\s*\| ?/, ''))
      .join('\n');
  if (mark !== '' && from === 1 && inserted.startsWith(mark)) inserted = inserted.slice(1);
  const end = lines.find((each) => each.end !== '')?.end ?? '\n';
  const own = inserted.replace(/\n$/, '').replaceAll('\n', end);
  return mark + above + own + (lines[to - 1]?.end ?? end) + below;
}

/** The text after a part of one line was replaced. */
export function partEdited(text: string, at: number, part: string, replacement: string): string {
  const end = linesOf(text).find((each) => each.end !== '')?.end ?? '\n';
  const [above, below] = [text.slice(0, at), text.slice(at + part.length)];
  const isAtEnd = below === '' || /^\r?\n/.test(below);
  const isAllOfLine = isAtEnd && (above === '' || above === '\ufeff' || above.endsWith('\n'));
  if (isAllOfLine && replacement === '') return above + below.replace(/^\r?\n/, '');
  let inserted = replacement.replaceAll('\r\n', '\n');
  if (above === '\ufeff' && inserted.startsWith(above)) inserted = inserted.slice(1);
  return above + (isAtEnd ? inserted.replace(/\n$/, '') : inserted).replaceAll('\n', end) + below;
}

/**
 * The acceptable texts after an append: the content is at the end or, for `top`, before any line, with or without empty
 * lines around it.
 */
export function appended(text: string, content: string, position: 'top' | 'bottom'): string[] {
  const end = text.includes('\r\n') ? '\r\n' : '\n';
  const own =
    content.replaceAll('\r\n', '\n').replace(/^\n+/, '').replace(/\n+$/, '').replaceAll('\n', end) + end;
  const starts = [
    0,
    ...(text.startsWith('\ufeff') ? [1] : []),
    ...[...text.matchAll(/\n/g)].map(({ index }) => index + 1),
  ];
  return (position === 'bottom' ? [text.length] : [...starts, text.length]).flatMap((at) =>
    ['', end, end + end].flatMap((above) =>
      ['', end].map((below) => text.slice(0, at) + above + own + below + text.slice(at)),
    ),
  );
}

const stamp = /^[ \t]*["']?(?:created|updated|tokens)["']?[ \t]*:/;

/** Whether a file contains exactly this text, except for the stamps in its frontmatter, which Keepsake maintains. */
export function holds(file: string, text: string): boolean {
  if (file === text) return true;
  const [mark] = /^\ufeff?/.exec(text) ?? [''];
  const [wanted, actual] = [text.slice(mark.length), file.slice(mark.length)];
  if (!file.startsWith(mark)) return false;
  const [ownTop, ownBody] = frontmatterOf(wanted);
  const [top, body] = frontmatterOf(actual);
  if (ownTop !== null) {
    const others = (yaml: string): string =>
      yaml
        .split('\n')
        .filter((row) => !stamp.test(row))
        .join('\n');
    return top !== null && body === ownBody && others(top) === others(ownTop);
  }
  // The text has no frontmatter, so the file's may contain only stamps, followed by one empty line.
  if (top === null || !top.split('\n').every((row) => /^---\r?$|^$/.test(row) || stamp.test(row)))
    return false;
  return body === wanted || (!/^[ \t]*\r?\n/.test(wanted) && body.replace(/^\r?\n/, '') === wanted);
}

/** The frontmatter with its fences, or null, and the rest of the text. */
function frontmatterOf(text: string): [string | null, string] {
  const [top] = /^---[ \t]*\r?\n(?:(?!---[ \t]*\r?(?:\n|$))[^\n]*\n)*---[ \t]*\r?(?:\n|$)/.exec(text) ?? [];
  return top === undefined ? [null, text] : [top, text.slice(top.length)];
}

const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** Decodes bytes; null when they are not text. `isGuess` means that the user must be warned about the encoding. */
export function meant(bytes: Buffer): { text: string; isGuess: boolean } | null {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
    return isUnstorable(text) ? null : { text, isGuess: false };
  } catch {
    // another encoding
  }
  const [first, second] = bytes;
  const isLittle = first === 0xff && second === 0xfe;
  if (isLittle || (first === 0xfe && second === 0xff)) {
    const units = Array.from({ length: Math.floor(bytes.length / 2) - 1 }, (_, index) =>
      isLittle ? bytes.readUInt16LE(2 + 2 * index) : bytes.readUInt16BE(2 + 2 * index),
    );
    const text = units.map((unit) => String.fromCharCode(unit)).join('');
    return bytes.length % 2 === 1 || isUnstorable(text) ? null : { text, isGuess: true };
  }
  if (bytes.includes(0)) return null;
  const letters = [...bytes].map((byte) =>
    byte >= 0x80 && byte < 0xa0 ? windows1252.charAt(byte - 0x80) : String.fromCharCode(byte),
  );
  return { text: letters.join(''), isGuess: true };
}
