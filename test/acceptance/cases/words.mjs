// No words are lost or changed on their way in and out: not by numbers that look like those of lines, not by another
// encoding, not by a limit that is not told, not by an invisible mark.
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const table = 'Year | what\nTODO\nend of the table\n';
const has =
  (...parts) =>
  (text) =>
    parts.every((part) => text.includes(part));
/** Reads a note and edits it in one run. */
const edit = (path, content, old, replacement, after) => ({
  files: { [path]: content },
  batch: [
    { tool: 'read', input: { paths: path } },
    { tool: 'edit', input: { path, old, new: replacement } },
  ],
  results: [{ ok: true }, { ok: true }],
  after: { [path]: after },
});

/** 4,000 lines of 40 characters each, with their line breaks: 40,000 tokens. */
const long = Array.from(
  { length: 4_000 },
  (_, index) => `row ${String(index + 1).padStart(4, '0')} ${'x'.repeat(30)}\n`,
).join('');
/** The numbers that a result shows, and the ranges that it says are left out. */
const shown = (text) => [...text.matchAll(/^(\d+) *\|/gm)].map(([, number]) => Number(number));
const leftOut = (text) =>
  [...text.matchAll(/\.md:(\d+)-(\d+)/g)].map(([, first, last]) => [Number(first), Number(last)]);
/** Whether every line from `first` to `last` is shown or named as left out, and no other line is named. */
const covers = (text, first, last) => {
  const seen = new Set(shown(text));
  const named = leftOut(text);
  for (const [from, to] of named) for (let line = from; line <= to; line++) seen.add(line);
  const isNamedRight = named.every(
    ([from, to]) => from <= to && to <= 4_000 && !shown(text).some((line) => line >= from && line <= to),
  );
  for (let line = first; line <= last; line++) if (!seen.has(line)) return false;
  return isNamedRight;
};
const header = (text) => /^```\S+ \(lines (\d+)-(\d+) of 4000\)$/m.exec(text)?.slice(1).map(Number) ?? [];
const isHeaderTrue = (text) => header(text)[0] === shown(text)[0] && header(text)[1] === shown(text).at(-1);
/** A budget that asks for these lines: those left out are named to the last, up to the budget or to the end of the file. */
const budget = (input, first, last, isEnd) => ({
  files: { 'bucket/long.md': long },
  call: 'read',
  input: { paths: 'bucket/long.md', ...input },
  text: (text) =>
    isHeaderTrue(text) &&
    covers(text, first, last) &&
    (leftOut(text).length === 0 ||
      isEnd(Math.min(...leftOut(text).flat()), Math.max(...leftOut(text).flat()))),
});
const wide = `first line\n${'wide '.repeat(60_000)}axolotl\nlast line\n`;

/** Bytes from standard input: kept as they were meant, with a word about it, or refused; never replaced. */
const latin = Buffer.from('caf\u00e9 cr\u00e8me br\u00fbl\u00e9e\n', 'latin1');
const binary = Buffer.from([
  0x7f, 0x45, 0x4c, 0x46, 2, 1, 1, 0, 0, 0, 0, 0, 0xff, 0xfe, 0x80, 0x81, 0, 0, 1, 0x9f, 0x92, 0x96, 0, 10,
]);
const before = '# Before\n\nThese words were there.\n';
const pipe =
  (argv, stdin, isRight) =>
  async ({ vault, keepsake, lay, check }) => {
    lay(vault, { 'bucket/': '', 'bucket/there.md': before });
    const file = join(vault, argv[1]);
    const { status, said } = keepsake(argv, { stdin });
    const text = existsSync(file) ? readFileSync(file, 'utf8') : undefined;
    check(
      !text?.includes('\ufffd'),
      `bytes were replaced by U+FFFD (exit ${status}): ${JSON.stringify(text?.slice(0, 200))}\n${said}`,
    );
    const isUntouched = argv[1] === 'bucket/there.md' ? text === before : text === undefined;
    check(
      status === 0 || isUntouched,
      `it is refused (exit ${status}), but the file has changed: ${JSON.stringify(text?.slice(0, 200))}`,
    );
    isRight({ status, text, said, check });
  };
const decodedOrRefused = ({ status, text, said, check }) => {
  if (status !== 0) return check(said.trim() !== '', 'it is refused without a word');
  check(
    text.includes('caf\u00e9 cr\u00e8me br\u00fbl\u00e9e'),
    `the words are not those that were meant: ${JSON.stringify(text)}`,
  );
  check(
    /windows-?1252|latin|iso-?8859|encod|accents|utf-?8/i.test(said),
    `no note says how the bytes were read: ${said}`,
  );
};
const refused = ({ status, said, check }) =>
  check(status !== 0 && said.trim() !== '', `bytes that are no text are taken (exit ${status}): ${said}`);

export const cases = [
  {
    name: 'a table of years replaces a line and keeps every character',
    ...edit(
      'bucket/t.md',
      table,
      'TODO',
      '2024 | revenue\n2025 | margin',
      has('Year | what\n2024 | revenue\n2025 | margin\nend of the table\n'),
    ),
  },
  {
    name: 'also when the line that it replaces is given by its number',
    ...edit(
      'bucket/t.md',
      table,
      '2  | TODO',
      '2024 | revenue\n2025 | margin',
      has('Year | what\n2024 | revenue\n2025 | margin\nend of the table\n'),
    ),
  },
  {
    name: 'a single line that begins with a year keeps it',
    ...edit(
      'bucket/t.md',
      'Year | what\n2025 | y\nend\n',
      '2  | 2025 | y',
      '2025 | z',
      has('Year | what\n2025 | z\nend\n'),
    ),
  },
  {
    name: 'a single year in the place of text without a number',
    ...edit('bucket/t.md', table, 'TODO', '2025 | z', has('Year | what\n2025 | z\nend of the table\n')),
  },
  {
    name: 'the same on the command line',
    files: { 'bucket/t.md': table },
    argv: ['edit', 'bucket/t.md', '--old', 'TODO', '--new', '2024 | revenue\n2025 | margin'],
    after: { 'bucket/t.md': has('Year | what\n2024 | revenue\n2025 | margin\nend of the table\n') },
  },
  {
    name: 'numbers of the lines that are replaced are taken off',
    ...edit(
      'bucket/t.md',
      'alpha\nbeta\ngamma\ndelta\n',
      '2  | beta\n3  | gamma',
      '2  | BETA\n3  | GAMMA',
      has('alpha\nBETA\nGAMMA\ndelta\n'),
    ),
  },
  {
    name: 'the number of a single line that is replaced is taken off',
    ...edit('bucket/t.md', 'alpha\nbeta\ngamma\n', '2  | beta', '2  | BETA', has('alpha\nBETA\ngamma\n')),
  },

  {
    name: 'write of Latin-1 is decoded with a note, or refused',
    run: pipe(['write', 'bucket/new.md'], latin, decodedOrRefused),
  },
  {
    name: 'append of Latin-1 is decoded with a note, or refused',
    run: pipe(['append', 'bucket/there.md'], latin, decodedOrRefused),
  },
  {
    name: 'write of bytes that are no text is refused',
    run: pipe(['write', 'bucket/new.md'], binary, refused),
  },
  {
    name: 'append of bytes that are no text is refused',
    run: pipe(['append', 'bucket/there.md'], binary, refused),
  },
  {
    name: 'write of UTF-8 is kept as it is',
    run: pipe(
      ['write', 'bucket/new.md'],
      'caf\u00e9 cr\u00e8me br\u00fbl\u00e9e \u{1f375}\n',
      ({ status, text, check }) =>
        check(
          status === 0 && text.includes('caf\u00e9 cr\u00e8me br\u00fbl\u00e9e \u{1f375}\n'),
          `exit ${status}: ${text}`,
        ),
    ),
  },

  {
    name: 'head above what a result holds: every line left out is named',
    ...budget({ head: 30_000 }, 1, 3_000, (_, last) => last === 3_000 || last === 4_000),
  },
  {
    name: 'tail above what a result holds: every line left out is named',
    ...budget({ tail: 30_000 }, 1_001, 4_000, (first) => first === 1_001 || first === 1),
  },
  { name: 'no limit: every line left out is named', ...budget({}, 1, 4_000, (_, last) => last === 4_000) },
  {
    name: 'a line too long for a result is named as left out',
    files: { 'bucket/wide.md': wide },
    call: 'read',
    input: { paths: 'bucket/wide.md', head: 80_000 },
    text: (text) => covers(text, 1, 3),
  },

  ...['axolotl', 'first line'].map((query) => ({
    name: `a result with a line that is cut is not the whole file: ${query}`,
    files: { 'bucket/wide.md': wide },
    call: 'search',
    input: { queries: [query], mode: 'fast' },
    text: (text) =>
      text.includes('vault/bucket/wide.md') &&
      (text.includes(wide.split('\n')[1]) || !/the whole file/.test(text)),
  })),

  {
    name: 'the first line of a note with a byte order mark can be edited',
    ...edit('bucket/bom.md', '\ufeff# Title\nbody\n', '1  | # Title', '# New title', (text) =>
      text.replaceAll('\ufeff', '').endsWith('# New title\nbody\n'),
    ),
  },
  {
    name: 'so can the frontmatter of such a note',
    ...edit(
      'bucket/bom.md',
      '\ufeff---\ntype: mail\n---\n\nbody\n',
      '1  | ---\n2  | type: mail',
      '---\ntype: letter',
      (text) => /^\ufeff?---\n(?:.*\n)*?type: letter\n/.test(text) && text.endsWith('\nbody\n'),
    ),
  },
  {
    name: 'decomposed accents are found by composed ones, with a number',
    ...edit(
      'bucket/nfd.md',
      'Le cafe\u0301 est pre\u0302t.\nfin\n',
      '1  | Le caf\u00e9 est pr\u00eat.',
      'Le th\u00e9 est pr\u00eat.',
      (text) => text.normalize('NFC').endsWith('Le th\u00e9 est pr\u00eat.\nfin\n'),
    ),
  },
  {
    name: 'decomposed accents are found by composed ones, as text',
    ...edit(
      'bucket/nfd.md',
      'Le cafe\u0301 est pre\u0302t.\nfin re\u0301elle\n',
      'caf\u00e9',
      'th\u00e9',
      (text) =>
        text.normalize('NFC').endsWith('Le th\u00e9 est pr\u00eat.\nfin r\u00e9elle\n') &&
        text.includes('re\u0301elle'),
    ),
  },
];
