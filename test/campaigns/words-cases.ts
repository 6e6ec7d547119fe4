import fc from 'fast-check';

/**
 * A call with text that looks like Keepsake's own format, in any encoding. In a replacement, `%0` stands for the number
 * of the first replaced line, `%1` for the next number, and so on.
 */
export type WordsCase =
  | { kind: 'write'; content: string; present: string | null }
  | { kind: 'append'; present: string; content: string; position: 'top' | 'bottom' }
  | { kind: 'edit'; present: string; from: number; count: number; form: OldForm; replacement: string }
  | { kind: 'edit-part'; present: string; line: number; start: number; end: number; replacement: string }
  | { kind: 'bytes'; bytes: Buffer; isPlainLatin: boolean };

/** How `old` is typed: as it was shown, with its accents composed or decomposed, or with other spaces around the numbers. */
export type OldForm = 'shown' | 'NFC' | 'NFD' | 'narrow';

const pieces = [
  ['', ' ', '\t', 'word', 'two words', 'x', '|', 'a | b', '1', '2025'],
  ['1 | one', '2  | two', '2024 | revenue', '2025 | margin', ' 3 |', '10 | ten', '1  |', '007 | spy'],
  ['%0 | first', '%1 | second', '%2 | third', '%0  |', '%1  | café', '%-1 | before'],
  ['```', '~~~', '```vault/a.md', '```vault/a.md (lines 1-2)', '````', '---', '--- ', '...', '***'],
  ['created: 2020-01-01', 'updated: soon', 'tokens: 5', 'type: mail', 'tags: [a, b]', 'a: "b'],
  ['# Title', '## 2025-07-14', '# 2025-07-14', '<!-- comment -->', '- [ ] task', '> quote', '[[link]]'],
  ['error: vault/a.md: file not found', 'note: x', '[image vault/a.png · png · 1×1]', 'vault/a.md:1-2'],
  ['\ufeff', '\ufeffword', 'a\ufeffb', '\u200b', '\u00ad', '\u2028', '\u2029', '\u0085', '\u001b[31m', '\f'],
  [
    'caf\u00e9',
    'cafe\u0301',
    'e',
    'cafe',
    '\u0301',
    'pre\u0302t',
    '\u00c5',
    'A\u030a',
    '\u212b',
    'x\u0323\u0307',
  ],
  ['\u1112\u1161\u11ab', '\ud55c', '\u{1f375}', '\u{1f468}\u200d\u{1f469}', '❤\ufe0f', '❤', '\ufffd'],
  ['␍', '␍\n', 'a\rb', '\r', 'ﬁ', '𝒳', '日本語', '\u202eabc'],
].flat();
const brokenPieces = ['\0', 'a\0b', '\ud83c', '\udf75', 'a\ud800b'];

const piece = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...pieces) },
  { weight: 1, arbitrary: fc.string({ unit: 'binary', maxLength: 8 }) },
  { weight: 1, arbitrary: fc.string({ unit: 'grapheme', maxLength: 8 }) },
);
const line = fc.oneof(
  { weight: 3, arbitrary: piece },
  { weight: 1, arbitrary: fc.array(piece, { minLength: 2, maxLength: 3 }).map((parts) => parts.join(' ')) },
);
const end = fc.constantFrom('\n', '\n', '\n', '\r\n', '\r');
const frontmatter = fc.constantFrom(
  '',
  '',
  '',
  '---\ntype: mail\n---\n',
  '---\r\ncreated: 2020-01-01T00:00:00\r\ntype: x\r\n---\r\n',
  '---\nupdated: 2020-01-01T00:00:00\ntokens: 3\n---\n\n',
  '---\n---\n',
  '---\n: [\n---\n',
  '---\nnot closed\n',
);

/** Any text: with one line ending for all lines or mixed ones, and with or without a final line ending. */
const anyText = fc
  .record({
    mark: fc.constantFrom('', '', '', '', '\ufeff'),
    frontmatter,
    lines: fc.array(fc.record({ line, end }), { maxLength: 7 }),
    oneEnd: fc.option(fc.constantFrom('\n', '\r\n'), { freq: 3 }),
    isEnded: fc.boolean(),
  })
  .map(({ mark, frontmatter: top, lines, oneEnd, isEnded }) => {
    const joined = lines.map((each) => each.line + (oneEnd ?? each.end)).join('');
    return mark + top + (isEnded ? joined : joined.replace(/\r?\n$/, ''));
  });
const storable = anyText.map((text) => text.replaceAll(/\0|%[-\d]+/g, '').toWellFormed());
const given = fc.oneof(
  { weight: 9, arbitrary: anyText.map((text) => text.replaceAll('\0', '').toWellFormed()) },
  {
    weight: 1,
    arbitrary: fc
      .tuple(anyText, fc.constantFrom(...brokenPieces), anyText)
      .map(([before, broken, after]) => before + broken + after),
  },
);
/** Rows with line numbers, as the replacement of an `edit`. */
const rows = fc
  .array(fc.constantFrom('%0 | a', '%1 | b', '%2  | c', '%3 |', '%-1 | z', '2024 | d', '2025 | e', '1 | f'), {
    minLength: 1,
    maxLength: 4,
  })
  .map((all) => all.join('\n'));
const replacement = fc.oneof(given, rows, rows, fc.constant(''), fc.constant('\n'));

const latinText = fc
  .array(
    fc.constantFrom(
      'caf\u00e9',
      'na\u00efve',
      'Stra\u00dfe',
      ' ',
      '\n',
      'word',
      '\u00a320',
      '2025 | \u00fcber',
    ),
    {
      minLength: 3,
      maxLength: 12,
    },
  )
  .map((parts) => `\u00e9t\u00e9 ${parts.join('')}`);
const bytes = fc.oneof(
  latinText.map((text) => ({ bytes: Buffer.from(text, 'latin1'), isPlainLatin: true })),
  given.map((text) => ({ bytes: Buffer.from(text), isPlainLatin: false })),
  given.map((text) => ({ bytes: Buffer.from(`\ufeff${text}`, 'utf16le'), isPlainLatin: false })),
  given.map((text) => ({ bytes: Buffer.from(`\ufeff${text}`, 'utf16le').swap16(), isPlainLatin: false })),
  given.map((text) => ({ bytes: Buffer.from(text, 'utf16le'), isPlainLatin: false })),
  fc.uint8Array({ maxLength: 60 }).map((array) => ({ bytes: Buffer.from(array), isPlainLatin: false })),
  fc.tuple(given, fc.uint8Array({ minLength: 1, maxLength: 4 }), given).map(([a, array, b]) => ({
    bytes: Buffer.concat([Buffer.from(a), Buffer.from(array), Buffer.from(b)]),
    isPlainLatin: false,
  })),
);

const place = fc.nat(12);
export const wordsCase: fc.Arbitrary<WordsCase> = fc.oneof(
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('write' as const),
      content: given,
      present: fc.option(storable),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('append' as const),
      present: storable,
      content: given,
      position: fc.constantFrom('top' as const, 'bottom' as const),
    }),
  },
  {
    weight: 4,
    arbitrary: fc.record({
      kind: fc.constant('edit' as const),
      present: storable,
      from: place,
      count: fc.integer({ min: 1, max: 3 }),
      form: fc.constantFrom<OldForm>('shown', 'NFC', 'NFD', 'narrow'),
      replacement,
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('edit-part' as const),
      present: storable,
      line: place,
      start: place,
      end: place,
      replacement,
    }),
  },
  { weight: 2, arbitrary: bytes.map((each) => ({ kind: 'bytes' as const, ...each })) },
);
