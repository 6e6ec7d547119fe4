import fc from 'fast-check';
import { fromMarkdown } from 'mdast-util-from-markdown';
import { describe, expect, it } from 'vitest';
import { createBufferSource } from './byte-source.ts';
import { foldMarkdown } from './fold.ts';
import { splitLines } from './lines.ts';
import { createOutlineParser } from './outline.ts';
import { formatFoldedLines } from './render/numbered-lines.ts';

type Place = { level: number; start: number; end: number };

function ours(text: string): Place[] {
  const outline = createOutlineParser();
  return splitLines(text).flatMap((line, index) => {
    const { heading } = outline(line);
    return heading === null
      ? []
      : [{ level: heading.level, start: index + 2 - heading.lines, end: index + 1 }];
  });
}

function theirs(text: string): Place[] {
  return fromMarkdown(text).children.flatMap((node) => {
    if (node.type !== 'heading' || node.position === undefined) return [];
    return [{ level: node.depth, start: node.position.start.line, end: node.position.end.line }];
  });
}

describe('outline parser', () => {
  it.each([
    '# a\n## b ##\n###### c\n####### no\n#no\n#\n',
    'Title\n=====\n\nOther\n---\n',
    'two\nlines\n===\n',
    '```\n# no\n```\n# yes\n',
    '~~~ info\n# no\n```\n~~~\n# yes\n',
    '````\n```\n# no\n````\n# yes\n',
    '``` a`b\n# yes\n',
    '```\n# never closed\n',
    '<!-- one line -->\n# yes\n',
    '<!--\n# no\n-->\n# yes\n',
    '<!-->\n# yes\n',
    '- ```sh\n  # no\n  ```\n# yes\n',
    '1. ~~~\n   # no\n   ~~~\n\n# yes\n',
    '<pre>\n# no\n\n# no\n</pre>\n# yes\n',
    '    # indented code\n\n   # yes\n',
    '- item\n---\n',
    '> quote\n---\n',
    '---\n***\n___\n',
    'text\n***\n# yes\n',
    '1. one\n2. two\n\nTitle\n===\n',
    '# a\t#\n# b#\n# c \\#\n',
  ])('agrees with CommonMark on %j', (text) => {
    expect(ours(text)).toEqual(theirs(text));
  });

  it('agrees with CommonMark on any document without nesting', () => {
    const line = fc.constantFrom(
      '# h1',
      '## h2',
      '### h3 ###',
      '#nope',
      'text',
      'more text',
      '',
      '',
      '===',
      '---',
      '```',
      '````',
      '~~~',
      '```js',
      '    code',
      '***',
      '<!--',
      '-->',
      'a -->',
      '#',
      '  ## in',
      '\tx',
    );
    fc.assert(
      fc.property(fc.array(line, { maxLength: 14 }), (lines) => {
        const text = lines.join('\n');
        expect(ours(text)).toEqual(theirs(text));
      }),
      { numRuns: 3000 },
    );
  });
});

describe('foldMarkdown', () => {
  const fold = async (text: string): Promise<string> => {
    const folded = await foldMarkdown(createBufferSource(Buffer.from(text)));
    return folded.kind === 'folded' ? formatFoldedLines(folded.items) : expect.unreachable(folded.kind);
  };

  it('shows frontmatter, H1 and H2, and counts the content below them', async () => {
    expect(
      await fold('---\na: 1\n---\nintro\n\n# One\ntext\n### small\nmore\n\nTwo\n---\n\n\n## Three\nend'),
    ).toBe(
      [
        '1  | ---',
        '2  | a: 1',
        '3  | ---',
        '   | ... (lines 4-5 · 2 tokens)',
        '6  | # One',
        '   | ... (lines 7-10 · 6 tokens)',
        '11 | Two',
        '12 | ---',
        '15 | ## Three',
        '   | ... (lines 16-16 · 1 token)',
      ].join('\n'),
    );
  });

  it('detects a heading after a byte order mark and shows all lines of an underlined one', async () => {
    expect(await fold('\ufeff# One\ntext\n')).toContain('1  | # One');
    expect(await fold(`${'a\n'.repeat(3)}b\n===\n`)).toBe('1  | a\n2  | a\n3  | a\n4  | b\n5  | ===');
  });

  it('stops early on a file that contains only headings', async () => {
    const file = createBufferSource(Buffer.alloc(40_000_000, '#\n'));
    let bytesRead = 0;
    const read: typeof file.read = async (...asked) => {
      const bytes = await file.read(...asked);
      bytesRead += bytes.length;
      return bytes;
    };
    expect(await foldMarkdown({ size: file.size, read })).toEqual({ kind: 'too-many-headings' });
    expect(bytesRead).toBeLessThan(2_000_000);
  });

  it('accounts for every line', async () => {
    const line = fc.constantFrom('# a', '## b', 'text', '', '===', '```', 'é'.repeat(20), 'x'.repeat(70_000));
    await fc.assert(
      fc.asyncProperty(
        fc.array(line, { maxLength: 30 }),
        fc.constantFrom('\n', '\r\n'),
        async (lines, end) => {
          const text = lines.join(end);
          const folded = await foldMarkdown(createBufferSource(Buffer.from(text)));
          if (folded.kind !== 'folded') return expect.unreachable(folded.kind);
          const all = splitLines(text);
          const account = new Set(
            folded.items.flatMap((item) =>
              item.kind === 'line'
                ? [item.number]
                : Array.from({ length: item.last - item.first + 1 }, (_, i) => item.first + i),
            ),
          );
          expect(
            all.flatMap((content, index) => (content === '' || account.has(index + 1) ? [] : [index + 1])),
          ).toEqual([]);
          for (const item of folded.items)
            if (item.kind === 'line' && item.text.length < 1000) expect(item.text).toBe(all[item.number - 1]);
        },
      ),
      { numRuns: 1000 },
    );
  });
});
