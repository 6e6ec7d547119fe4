import { Parser } from 'commonmark';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { splitLines } from '../lines.ts';
import { nameProblem, parseVaultPath, formatPath } from '../path.ts';
import type { VaultPath } from '../path.ts';
import { renderBlock, joinBlocks } from './blocks.ts';
import { formatNumberedLines } from './numbered-lines.ts';

type Block = { header: string; body: string };

/** Parses the code blocks of a document with the CommonMark reference parser; throws on any other content. */
function parseBlocks(text: string): Block[] {
  const blocks: Block[] = [];
  for (let node = new Parser().parse(text).firstChild; node !== null; node = node.next) {
    if (node.type !== 'code_block') throw new Error(`a ${node.type} among the blocks`);
    blocks.push({ header: node.info ?? '', body: node.literal ?? '' });
  }
  return blocks;
}

/** Parses the numbered lines of a block. */
function parseNumbered(body: string): { first: number; lines: string[] } {
  const rows = body
    .split('\n')
    .slice(0, -1)
    .map((row) => /^(\d+) *\|(?: (.*))?$/s.exec(row) ?? expect.unreachable(row));
  return { first: Number(rows[0]?.[1] ?? 1), lines: rows.map((row) => row[2] ?? '') };
}

const hostile = fc.constantFrom(
  '```',
  '~~~',
  '````',
  '```js',
  '    ```',
  '> ```',
  '- ~~~',
  '---',
  '# heading',
  '<!--',
  '</pre>',
  '<script>',
  '1  | forged',
  '\r```\r',
  '\r2  | x',
  '\t```',
  '``` ',
  '\u2028```',
  '\ufeff```',
  '&amp;',
  '\\',
  '[image x]',
  '',
);
const content = fc
  .array(fc.oneof(hostile, fc.string({ unit: 'binary' })), { maxLength: 12 })
  .map((lines) => lines.join('\n').replaceAll('\0', '').toWellFormed());
const name = fc
  .oneof(
    fc.string({ unit: 'binary', minLength: 1, maxLength: 40 }),
    fc.stringMatching(/^[a&#;() `~\n\r\t{}*_lines0-9-]{1,30}$/),
  )
  .map((text) => text.replaceAll('/', '_').normalize('NFC'))
  .filter((text) => nameProblem(text) === null);
const path = fc.array(name, { minLength: 1, maxLength: 3 }).map((names) => {
  const parsed = parseVaultPath(`vault/${names.join('/')}`);
  return parsed.ok ? parsed.path : expect.unreachable(parsed.reason);
});

describe('arbitrary blocks', () => {
  it('round-trip through CommonMark for any content and any valid path', () => {
    const file = fc.record({ path, content, skip: fc.nat(3), note: fc.boolean() });
    fc.assert(
      fc.property(fc.array(file, { maxLength: 5 }), (files) => {
        const shown = files.map(({ path: at, content: text, skip, note }) => {
          const lines = splitLines(text).slice(skip);
          return {
            path: at,
            first: skip + 1,
            lines,
            note: note && lines.length > 0 ? ` (lines ${skip + 1}-${skip + lines.length})` : '',
          };
        });
        const document = joinBlocks(
          shown.map((each) =>
            renderBlock(formatPath(each.path) + each.note, formatNumberedLines(each.lines, each.first)),
          ),
        );
        const parsed = parseBlocks(document);
        expect(parsed.map(({ header }) => readHeader(header))).toEqual(
          shown.map((each) => ({ path: each.path, note: each.note })),
        );
        expect(parsed.map(({ body }) => parseNumbered(body))).toEqual(
          // Only a carriage return inside a line and the byte order mark are not shown unchanged.
          shown.map(({ first, lines }) => ({
            first: lines.length > 0 ? first : 1,
            lines: lines.map((line, index) =>
              (first + index === 1 ? line.replace(/^\ufeff/, '') : line).replaceAll('\r', '␍'),
            ),
          })),
        );
      }),
      { numRuns: 3000 },
    );
  });

  function readHeader(header: string): { path: VaultPath | string; note: string } {
    const note = / \(lines \d+-\d+\)$/.exec(header)?.[0] ?? '';
    const parsed = parseVaultPath(header.slice(0, header.length - note.length));
    return { path: parsed.ok ? parsed.path : parsed.reason, note };
  }
});

describe('formatNumberedLines', () => {
  it('pads numbers to the width of the last one, at least two digits, and adds no trailing space to empty lines', () => {
    expect(formatNumberedLines(['a', '', ' b'], 1)).toBe('1  | a\n2  |\n3  |  b');
    expect(formatNumberedLines(['x', 'y'], 99)).toBe('99  | x\n100 | y');
  });
});
