import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseLinks, parseLinkDestination, parseWikilinks } from './markdown-links.ts';

const shown = (text: string): string[] =>
  parseLinks(text).map(({ kind, target, anchor }) => `${kind} ${target}${anchor === '' ? '' : ` ${anchor}`}`);

describe('parseLinks', () => {
  it.each([
    ['see [specs](bucket/specs.md)', ['path bucket/specs.md']],
    ['[a](../y/a.md#part) and [b](/tasks.md)', ['path ../y/a.md #part', 'path /tasks.md']],
    ['[a](<my file.pdf>)', ['path my file.pdf']],
    ['[a](<my%20note.md> "title")', ['path my note.md']],
    ["[a]( my%20note.md#x 'title' )", ['path my note.md #x']],
    ['[a](b(1).md) [b](c\\(1.md) [c](<d\\>.md>)', ['path b(1).md', 'path c(1.md', 'path d>.md']],
    ['[a](b.md\n"title on the next line")', ['path b.md']],
    ['![shot](bucket/shot.png) ![wide](b.png =100x20)', ['path bucket/shot.png', 'path b.png']],
    ['[![alt](pic.png)](b.md)', ['path pic.png', 'path b.md']],
    ['[a]: ./b.md', ['path ./b.md']],
    ['[`a`]: <b c.md#part> "title"', ['path b c.md #part']],
    ['[[specs]] [[projects/y/state|State]]', ['wiki specs', 'wiki projects/y/state']],
    ['[[specs#part]] [[specs#^block|x]]', ['wiki specs #part', 'wiki specs #^block']],
    ['![[x.png]] ![[x.png|200]] | [[a\\|b]] |', ['wiki x.png', 'wiki x.png', 'wiki a']],
    [`<img src="a b.png"> <a href='c.md'>`, ['path a b.png', 'path c.md']],
    ['[bad](%E0%A4%A) [50%](50%.md)', ['path %E0%A4%A', 'path 50%.md']],
  ])('parses %j as %j', (text, expected) => expect(shown(text)).toEqual(expected));

  it.each([
    '[out](https://x.org/a.md) [mail](mailto:a@b) [host](//x.org/a) [here](#part) [[#part]] plain text',
    '<https://x.org> <a href="https://x.org">',
    '[not](my file.pdf) [a]() [b](<>) [[]] [[ ]] \\](b.md)',
    '[^1]: b.md',
    '[Anna]: said something',
    '`[[b]]` and ``[x](b.md) ` `` `<img src="x">`',
    '```\n[[b]]\n```',
    '```\r\n[[b]]\r\n```\r\n',
    '> ~~~md `\n> [x](b.md)\n> ~~~',
    '- ````\n  ```\n  [x](b.md)\n  ````',
    '[[a`b`]] [x](a`b`.md)',
  ])('finds no links in %j', (text) => expect(shown(text)).toEqual([]));

  it('reports the exact offsets of each link', () => {
    const text = 'one\r\n```\n[no](no.md)\n```\n`x` [b](d.md#e)\n\n![[f#g|h]]';
    expect(parseLinks(text).map(({ start, end, line }) => [text.slice(start, end), line])).toEqual([
      ['d.md#e', 5],
      ['![[f#g|h]]', 7],
    ]);
  });

  it('keeps the first of overlapping links', () => {
    expect(shown('[[a](b.md)]] [c](d.md)')).toEqual(['path b.md', 'path d.md']);
    expect(shown('<a href="x/[[a]]">[[b]]')).toEqual(['path x/[[a]]', 'wiki b']);
  });

  it('ignores a link that would end inside a wikilink', () => {
    expect(shown('[1]:.[[plan (2).png]] x')).toEqual(['wiki plan (2).png']);
    expect(shown('](\\[[p]][[plan (2).png]] x')).toEqual(['wiki p', 'wiki plan (2).png']);
  });

  it.each([
    ['[a](<b.md#part> "title")', 'c d.md', '[a](<c d.md#part> "title")'],
    ['[a](b.md#part)', 'c (1).md', '[a](c%20%281%29.md#part)'],
    ['[a](b.md)', 'é.md', '[a](é.md)'],
    ['[a](b%20c.md)', 'é.md', '[a](%C3%A9.md)'],
    ['[a](b.md)', 'c:d.md', '[a](c%3Ad.md)'],
    ['[a](<b.md>)', '100%25.md', '[a](<100%2525.md>)'],
    ["<img src='b.png'>", "it's.png", "<img src='it%27s.png'>"],
    ['[[b]]', 'c', '[[c|b]]'],
    ['[[b#part]]', 'c', '[[c#part|b#part]]'],
    ['[[b|`x` y]]', 'c', '[[c|`x` y]]'],
    ['![[b.png]]', 'c.png', '![[c.png]]'],
    ['| [[b]] |', 'c', '| [[c\\|b]] |'],
  ])('returns a link whose `format` turns %s with target %s into %s', (text, target, expected) =>
    expect(rewritten(text, target)).toBe(expected),
  );
});

function rewritten(text: string, target: string): string {
  const [link] = parseLinks(text);
  if (link === undefined) throw new Error(`no link in ${text}`);
  return text.slice(0, link.start) + link.format(target) + text.slice(link.end);
}

const forms = [
  '[a](b.md)',
  '[a](b%20c.md#part)',
  '[a](<b c.md#part>)',
  '![a](b.png "title")',
  '[a]: b.md',
  '[a]: <b.md> (title)',
  '<img src="b.png">',
  "<a href='b.md'>",
];
const wikiForms = ['[[b]]', '[[b#part]]', '[[b|label]]', '![[b|200]]', '| [[b]] |'];
const signs = [
  ...'% # ? ( ) < > [ ] { } \\ / : " \' ` | ^ ~ & . + - é 日 😀 \u00a0 \t %20 a B .. // c: md'.split(' '),
  ' ',
];
const target = fc
  .oneof(
    fc.array(fc.constantFrom(...signs), { minLength: 1, maxLength: 8 }),
    fc.array(fc.string(), { minLength: 1 }),
  )
  .map((parts) => parts.join(''))
  .filter((text) => text !== '' && !/[`\r\n]/.test(text));

describe('arbitrary links', () => {
  it('parse back to the target they were formatted for', () => {
    fc.assert(
      fc.property(fc.constantFrom(...forms), target, (form, wanted) => {
        const [before] = parseLinks(form);
        expect(parseLinks(rewritten(form, wanted))).toMatchObject([
          { target: wanted, anchor: before?.anchor },
        ]);
      }),
      { numRuns: 2000 },
    );
  });

  it('parse back as wikilinks unless the name contains a delimiter', () => {
    const name = target.filter((text) => !/[[\]|#^\\]/.test(text) && text.trim() !== '');
    fc.assert(
      fc.property(fc.constantFrom(...wikiForms), name, (form, wanted) => {
        expect(parseLinks(rewritten(form, wanted))).toMatchObject([{ kind: 'wiki', target: wanted }]);
      }),
    );
  });

  it('are ordered and disjoint for any text', () => {
    const pieces = fc.constantFrom(
      '[',
      ']',
      '(',
      ')',
      '](',
      '[[',
      ']]',
      '!',
      '`',
      '```',
      '\n',
      '\r\n',
      ...signs,
      'src="',
      ']: ',
    );
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 40 }), (parts) => {
        const text = parts.join('');
        let end = 0;
        for (const link of parseLinks(text)) {
          expect(link.start).toBeGreaterThanOrEqual(end);
          expect(link.end).toBeLessThanOrEqual(text.length);
          expect(text.slice(0, link.start).split('\n')).toHaveLength(link.line);
          ({ end } = link);
        }
      }),
      { numRuns: 2000 },
    );
  });
});

describe('parseLinkDestination', () => {
  it('separates target and anchor', () => {
    expect(parseLinkDestination('my%20file.md#a#b')).toEqual({ target: 'my file.md', anchor: '#a#b' });
    expect(parseLinkDestination('#part')).toEqual({ target: '', anchor: '#part' });
    expect(parseLinkDestination('b?.md')).toEqual({ target: 'b?.md', anchor: '' });
    for (const address of ['https://x.org', 'javascript:x', '//x.org'])
      expect(parseLinkDestination(address)).toBeNull();
  });
});

describe('parseWikilinks', () => {
  it('returns labels and links within the same note', () => {
    expect(parseWikilinks('`[[a|b c]]` ![[d.png|200]] [[#e]] [f](g.md)')).toMatchObject([
      { target: 'a', label: 'b c', isEmbed: false, start: 1 },
      { target: 'd.png', label: '200', isEmbed: true },
      { target: '', anchor: '#e', label: '' },
    ]);
  });
});

describe('hostile text', () => {
  const repeated = [
    '[',
    '](',
    '](<',
    '[[',
    '![[a#',
    '[[a|',
    '`',
    '``` ',
    'src="\'',
    '](a(',
    '](b](b',
    ']( ',
    '](\\',
    '1. ',
    '[a]:',
  ];
  const texts: Record<string, (size: number) => string> = {
    ...Object.fromEntries(repeated.map((piece) => [piece, (size) => piece.repeat(size / piece.length)])),
    'one long destination': (size) => `](${'a'.repeat(size)}`,
    'a destination of parentheses': (size) => `](${'(a)'.repeat(size / 3)}`,
    'a long label': (size) => `[${'a'.repeat(size)}]: b.md`,
    'spaces after a destination': (size) => `](a${' '.repeat(size)}b`,
    'spaces before a destination': (size) => `](${' '.repeat(size)}a b`,
    'spaces before the destination of a reference': (size) => `[a]:${' '.repeat(size)}b c`,
    'code spans of every length': (size) =>
      Array.from({ length: Math.sqrt(2 * size) }, (_, index) => '`'.repeat(index)).join(' '),
  };

  it.each(Object.entries(texts))('is parsed in linear time: %s', (_, make) => {
    const [small = '', large = ''] = [make(100_000), make(400_000)].map((text) => `[[${text}`);
    const best = { small: Infinity, large: Infinity };
    // The ratio is 1 for linear and 4 for quadratic time; a busy machine needs more rounds.
    const ratio = (): number => best.large / best.small;
    for (let round = 0; round < 20 && (round < 3 || ratio() >= 2.5); round += 1) {
      best.small = Math.min(best.small, timeOf([small, small, small, small]));
      best.large = Math.min(best.large, timeOf([large]));
    }
    expect(ratio()).toBeLessThan(2.5);
  });
});

/** Keeps all links until the end, so that several small texts use as much memory as one large text. */
function timeOf(texts: readonly string[]): number {
  const start = performance.now();
  const held = texts.map(parseLinks);
  const time = performance.now() - start;
  expect(held).toHaveLength(texts.length);
  return time;
}
