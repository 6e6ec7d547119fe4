import fc from 'fast-check';
import { describe, expect, it, vi } from 'vitest';
import { parseDocument } from 'yaml';
import type * as yaml from 'yaml';
import { parseLocalTime } from '../contract/index.ts';
import {
  findFrontmatter,
  getFrontmatterValue,
  setStamps,
  setTimes,
  applyStamps,
  estimateTokens,
  copyStamps,
} from './frontmatter.ts';
import type { Stamps } from './frontmatter.ts';

vi.mock('yaml', async (importActual) => {
  const actual = await importActual<typeof yaml>();
  return { ...actual, parseDocument: vi.fn<typeof yaml.parseDocument>(actual.parseDocument) };
});

const time = (text: string) => parseLocalTime(text) ?? expect.unreachable(text);
const updated = time('2025-07-14T18:30:00');
const stamps: Required<Stamps> = { created: time('2025-01-10T10:00:00'), updated, tokens: 42 };

function set(text: string, fields: Stamps = stamps): string {
  const result = setStamps(text, fields);
  return result.ok ? result.text : expect.unreachable(result.reason);
}

describe('findFrontmatter', () => {
  it.each([
    ['---\na: 1\n---\nbody', 'body'],
    ['---\r\na: 1\r\n---\r\nbody', 'body'],
    ['\ufeff---\na: 1\n---  \nbody', 'body'],
    ['---\n---', ''],
    ['---\na: 1\n---', ''],
  ])('splits %j before the body %j', (text, body) => {
    const found = findFrontmatter(text);
    expect(text.slice(found?.bodyStart)).toBe(body);
    expect(estimateTokens(text)).toBe(Math.ceil(body.length / 4));
  });

  it.each([
    '',
    'text',
    '---',
    '---\nopen',
    '---js\nevil()\n---\n',
    ' ---\na: 1\n---\n',
    '----\na: 1\n----\n',
    '---\na: 1\n --- \n',
  ])('finds none in %j', (text) => {
    expect(findFrontmatter(text)).toBeNull();
    expect(estimateTokens(text)).toBe(Math.ceil(text.length / 4));
  });

  it.each([
    ['updated: 2025-07-14T18:30:00\n', '2025-07-14T18:30:00'],
    ['a: 1\nupdated:   2025-07-14   # said Marie\n', '2025-07-14'],
    ['updated: "2025-07-14T18:30:00"\n', '2025-07-14T18:30:00'],
    ['"updated": 2025-07-14\n', '2025-07-14'],
    ['updated: [1]\n', null],
    ['not-updated: x\n', null],
    ['updated: C# notes # said\n', 'C# notes'],
    ['updated: null\n', null],
    ['updated: ~\n', null],
    ['a: &x [*x, updated]\n', null],
  ])('reads a value from %j', (yaml, value) => {
    expect(getFrontmatterValue(yaml, 'updated')).toBe(value);
  });
});

describe('setStamps', () => {
  it('replaces values and keeps order, quoting and comments', () => {
    const text =
      '---\ntype: email   # from Marie\nupdated: "x" # old\ntags: [a,   b]\ncreated: y\ntokens:\n---\n\nbody\n';
    expect(set(text)).toBe(
      '---\ntype: email   # from Marie\nupdated: "2025-07-14T18:30:00" # old\ntags: [a,   b]\ncreated: 2025-01-10T10:00:00\ntokens: 42\n---\n\nbody\n',
    );
  });

  it('inserts missing stamps in order, above the other fields', () => {
    expect(set('---\r\ntype: x\r\n---\r\nbody')).toBe(
      '---\r\ncreated: 2025-01-10T10:00:00\r\nupdated: 2025-07-14T18:30:00\r\ntokens: 42\r\ntype: x\r\n---\r\nbody',
    );
    expect(set('---\na: 1\ncreated: x\nb: 2\n---\n')).toBe(
      '---\na: 1\ncreated: 2025-01-10T10:00:00\nupdated: 2025-07-14T18:30:00\ntokens: 42\nb: 2\n---\n',
    );
    expect(set('---\n  a: 1\n---\n', { tokens: 42 })).toBe('---\n  tokens: 42\n  a: 1\n---\n');
  });

  it('adds frontmatter after the byte order mark', () => {
    expect(set('\ufeffbody\r\n', { updated })).toBe(
      '\ufeff---\r\nupdated: 2025-07-14T18:30:00\r\n---\r\nbody\r\n',
    );
    expect(set('', { tokens: 0 })).toBe('---\ntokens: 0\n---\n');
  });

  it.each([
    ['a list', '- a\n- b\n'],
    ['a flow mapping', '{a: 1}\n'],
    ['broken YAML', 'a: [\n'],
    ['a duplicate key', 'updated: 1\nupdated: 2\n'],
    ['a block value', 'updated: |\n  x\n'],
    ['a list as value', 'tokens: [1]\n'],
    ['a tag on the mapping', '!!map\na: 1\n'],
  ])('rejects %s with a hint', (_, yaml) => {
    const result = setStamps(`---\n${yaml}---\nbody`, stamps);
    expect(result).toEqual({ ok: false, reason: expect.stringMatching(/frontmatter .*fix it/) });
  });

  it('handles frontmatter that contains only empty lines and comments', () => {
    expect(set('---\n\n---\n', { tokens: 1 })).toBe('---\ntokens: 1\n\n---\n');
    expect(set('---\n\n# c\n---', { tokens: 1 })).toBe('---\ntokens: 1\n\n# c\n---');
  });

  it('rejects a value with an anchor that another key references', () => {
    expect(setStamps('---\ncreated: &b 2020\nq: *b\n---\n', stamps)).toMatchObject({ ok: false });
  });

  it('rejects deep nesting without throwing and parses it only once', () => {
    vi.mocked(parseDocument).mockClear();
    expect(setStamps(`---\nz: [${'a: '.repeat(20_000)}\n---\n`, stamps)).toMatchObject({ ok: false });
    expect(setStamps(`---\nz: [${','.repeat(60_000)}]\n---\n`, stamps)).toMatchObject({ ok: false });
    expect(getFrontmatterValue(`"updated": x\nz: [${'a: '.repeat(4_000)}`, 'updated')).toBeNull();
    expect(parseDocument).toHaveBeenCalledTimes(3);
  });

  it('never passes oversized frontmatter to the slow parser', () => {
    vi.mocked(parseDocument).mockClear();
    expect(setStamps(`---\n${'k: v\n'.repeat(20_000)}---\nbody`, stamps)).toMatchObject({ ok: false });
    expect(getFrontmatterValue(`"updated": x\n${'k: v\n'.repeat(4_000)}`, 'updated')).toBeNull();
    expect(parseDocument).not.toHaveBeenCalled();
  });

  it('expands no aliases and evaluates no tags', () => {
    const bomb = [
      'a: &a [x, x]',
      ...Array.from({ length: 30 }, (_, i) => `b${i}: &b${i} [*${i === 0 ? 'a' : `b${i - 1}`}, *a]`),
    ].join('\n');
    expect(set(`---\n${bomb}\n__proto__: 1\nrun: !!js/function "x"\n---\n`, { tokens: 1 })).toContain(
      'tokens: 1\na: &a',
    );
  });
});

describe('new frontmatter', () => {
  const head = (tokens: number, end = '\n'): string =>
    [
      '---',
      'created: 2025-07-14T18:30:00',
      'updated: 2025-07-14T18:30:00',
      `tokens: ${tokens}`,
      '---',
      '',
    ].join(end);

  it.each([
    ['# Note\n', `${head(2)}\n# Note\n`],
    ['no final newline', `${head(5)}\nno final newline`],
    ['\ufeffbody\r\n', `\ufeff${head(2, '\r\n')}\r\nbody\r\n`],
    ['\n# Note\n', `${head(2)}\n# Note\n`],
    [' \t\r\n# Note\r\n', `${head(3, '\r\n')} \t\r\n# Note\r\n`],
    ['', head(0)],
  ])('is followed by one empty line that counts as body: %j', (text, stamped) => {
    expect(applyStamps(text, updated)).toBe(stamped);
    expect(stamped).toContain(`tokens: ${estimateTokens(stamped)}`);
    expect(applyStamps(stamped, updated)).toBe(stamped);
  });

  it('is not added to existing frontmatter, whose spacing stays unchanged', () => {
    expect(applyStamps('---\ntype: x\n---\nbody\n', updated)).toMatch(/\n---\nbody\n$/);
    expect(applyStamps('---\ntype: x\n---\n\n\nbody\n', updated)).toMatch(/\n---\n\n\nbody\n$/);
  });

  it('has the spacing of the text whose stamps are copied', () => {
    expect(copyStamps('---\ntokens: 1\n---\n\na\n', 'b\n')).toBe('---\ntokens: 1\n---\n\nb\n');
    expect(copyStamps('---\ntokens: 1\n---\na\n', 'b\n')).toBe('---\ntokens: 1\n---\nb\n');
  });

  it('takes only dates and numbers from copied stamps, because other values are user text', () => {
    const userText = '---\ncreated: trust Eve\nupdated: 2025-07-14\ntokens: many\n---\na\n';
    expect(copyStamps(userText, '---\ncreated: mine\n---\nb\n')).toBe(
      '---\ncreated: mine\nupdated: 2025-07-14\n---\nb\n',
    );
  });

  it('is not added above frontmatter that cannot be maintained', () => {
    const text = `---\n${'k: v\n'.repeat(20_000)}---\nbody`;
    expect(applyStamps(text, updated)).toBe(text);
    expect(setTimes(text, { updated })).toMatchObject({ ok: false });
  });
});

describe('property: setStamps changes no other byte', () => {
  const comment = fc.constantFrom('', ' # note', '   # "quoted" note', '\t# tab');
  const other = fc.constantFrom(
    'type: email   # from Marie',
    'tags: [a,   b]',
    "title: 'it''s'",
    'note: "a\\tb: c"',
    '# a comment',
    '',
    '  ',
    'list:\n  - x\n  - y',
    'text: |\n  first\n\n  second',
    'folded: >-\n  a\n  b',
    'nested: {created: 1, tokens: 2}',
    'deep:\n  updated: 3',
    'empty:',
    'norway: no',
    'clé: "é"',
    '? odd\n: key',
    'anchor: &x 1',
    'alias: *x',
  );
  const stampLine = (key: string) =>
    fc
      .tuple(fc.constantFrom('', ' 1', ' 2025-07-14', ' "q"', " 's'", '   spaced', ' ~'), comment)
      .map(([value, note]) => ({ key, value, note }));
  const document = fc.record({
    bom: fc.constantFrom('', '\ufeff'),
    end: fc.constantFrom('\n', '\r\n'),
    lines: fc.array(other, { maxLength: 6 }),
    stamped: fc.tuple(
      fc.option(stampLine('created')),
      fc.option(stampLine('updated')),
      fc.option(stampLine('tokens')),
    ),
    body: fc.oneof(
      fc.string({ unit: 'binary' }),
      fc.constantFrom('', '\n# x\n', 'no final newline', '---\nsecond: block\n---\n'),
    ),
    places: fc.array(fc.nat(6), { minLength: 3, maxLength: 3 }),
  });

  it('for any keys, quoting, comments, line endings and body', () => {
    let changed = 0;
    fc.assert(
      fc.property(document, ({ bom, end, lines, stamped, body, places }) => {
        // One token per line; stamps are marked so that their values can be removed from the expectation.
        const all: string[] = lines.some((line) => line.startsWith('alias'))
          ? ['anchor: &x 1', ...lines]
          : [...lines];
        for (const [index, line] of stamped.entries()) {
          if (line) all.splice(places[index] ?? 0, 0, `${line.key}:${line.value}${line.note}`);
        }
        const text =
          `${bom}---\n${all.map((line) => `${line}\n`).join('')}---\n`.replaceAll('\n', end) + body;
        const result = setStamps(text, stamps);
        if (!result.ok) return; // rejected: nothing changes
        changed += 1;
        // Without the lines of the three stamps, both texts are identical.
        const strip = (whole: string) => {
          const bodyAt = findFrontmatter(whole)?.bodyStart ?? 0;
          const head = whole.slice(0, bodyAt).replaceAll(/(?<=\n)(?:created|updated|tokens):[^\n]*\n/g, '');
          return {
            head,
            body: whole.slice(bodyAt),
            comments: [
              ...whole
                .slice(0, bodyAt)
                .matchAll(/(?<=\n)(?:created|updated|tokens):[^\n]*?([ \t]+#[^\n]*)?\n/g),
            ]
              .map((m) => m[1] ?? '')
              .filter(Boolean)
              .toSorted(),
          };
        };
        expect(strip(result.text)).toEqual(strip(text));
        const yaml = result.text.slice(
          findFrontmatter(result.text)?.yamlStart,
          findFrontmatter(result.text)?.yamlEnd,
        );
        expect(['created', 'updated', 'tokens'].map((key) => getFrontmatterValue(yaml, key))).toEqual([
          stamps.created,
          stamps.updated,
          '42',
        ]);
        expect(setStamps(result.text, stamps)).toEqual(result);
      }),
      { numRuns: 500 },
    );
    expect(changed).toBeGreaterThan(250);
  });
});

describe('frontmatter that is no longer at the top', () => {
  const block = 'created: 2025-01-10T10:00:00\nupdated: 2025-07-14T18:30:00\ntokens: 42\n';

  it.each([
    ['text typed in front of it', `Typed---\n${block}---\n\n# Note\n`],
    ['lines above it', `# Typed\n\n---\n${block}---\n`],
    ['its first line removed', `${block}---\n\n# Note\n`],
    ['its last line removed', `---\n${block}\n# Note\n`],
    ['Windows line endings', `Typed---\r\n${block.replaceAll('\n', '\r\n')}---\r\n`],
  ])('gets no second frontmatter above it: %s', (_, text) => {
    expect(setStamps(text, stamps)).toMatchObject({ ok: false, reason: expect.stringContaining('damaged') });
    expect(applyStamps(text, updated)).toBe(text);
  });

  it('is not detected in a code block', () => {
    const text = `# How notes look\n\n\`\`\`yaml\n---\n${block}---\n\`\`\`\n`;
    expect(applyStamps(text, updated)).toMatch(/^---\ncreated: /);
  });
});
