/* What a file must hold after a call, computed from what was given and from nothing of the code that is tested. */

/** Why a text cannot be in a file at all. */
export function isUnstorable(text: string): boolean {
  return text.includes('\0') || /\p{Surrogate}/u.test(text);
}

/** Lines as ADR 4 defines them: only `\n` ends one, and a `\r` right before it belongs to the end. */
export function linesOf(text: string): { line: string; end: string }[] {
  const body = text.startsWith('\ufeff') ? text.slice(1) : text;
  if (body === '' && text !== '') return [{ line: '', end: '' }];
  return [...body.matchAll(/([^\n]*?)(\r?\n|$)/g)]
    .map(([, line = '', end = '']) => ({ line, end }))
    .filter(({ line, end }) => line !== '' || end !== '');
}

/** As `read` has to show a line. */
export function shown(line: string): string {
  return line.replaceAll('\r', '␍');
}

const together = (lines: readonly { line: string; end: string }[]): string =>
  lines.map(({ line, end }) => line + end).join('');

/** What a text is once lines `from` to `to` are replaced; null when numbers cannot be told from text. */
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

/** What a text is once a part of one line is replaced. */
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

/** What a text may be once another was added: with an empty line around it, at the end or before one of its lines. */
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

/** Whether a file holds a text, but for the stamps in its frontmatter, which are Keepsake's own. */
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
  // It had none: only stamps may be in it, and one empty line below it.
  if (top === null || !top.split('\n').every((row) => /^---\r?$|^$/.test(row) || stamp.test(row)))
    return false;
  return body === wanted || (!/^[ \t]*\r?\n/.test(wanted) && body.replace(/^\r?\n/, '') === wanted);
}

/** The frontmatter with its fences, null where there is none, and what follows it. */
function frontmatterOf(text: string): [string | null, string] {
  const [top] = /^---[ \t]*\r?\n(?:(?!---[ \t]*\r?(?:\n|$))[^\n]*\n)*---[ \t]*\r?(?:\n|$)/.exec(text) ?? [];
  return top === undefined ? [null, text] : [top, text.slice(top.length)];
}

const windows1252 = '€\u0081‚ƒ„…†‡ˆ‰Š‹Œ\u008dŽ\u008f\u0090‘’“”•–—˜™š›œ\u009džŸ';

/** What bytes say; null where no text can be made of them. `isGuess` where the user has to be told. */
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
