import { Text } from '@codemirror/state';
import { DocInput } from '@codemirror/language';
import { Tree, TreeFragment } from '@lezer/common';
import { describe, expect, it } from 'vitest';
import { randomNumbers } from '../../../../../test/random-numbers.ts';
import { noteLanguage } from './note-language.ts';
import { patchTree } from './patch-tree.ts';

const { parser } = noteLanguage().language;
const inputOf = (text: string): DocInput => new DocInput(Text.of(text.split('\n')));

/** All nodes with their positions. */
function nodesOf(tree: Tree): string[] {
  const nodes: string[] = [];
  tree.iterate({ enter: ({ name, from, to }) => void nodes.push(`${name} ${from}-${to}`) });
  return nodes;
}

type Edit = { from: number; to: number; insert: string };

/** Edits a text, and patches its tree; `patched` is null if the whole text has to be parsed. */
function apply(text: string, tree: Tree, { from, to, insert }: Edit) {
  const changed = text.slice(0, from) + insert + text.slice(to);
  const change = { fromA: from, toA: to, fromB: from, toB: from + insert.length };
  const fragments = TreeFragment.applyChanges(TreeFragment.addTree(tree), [change]);
  return { changed, patched: patchTree(parser, inputOf(changed), fragments) };
}

const section = (index: number): string =>
  `## Part ${index}\n\nSome words about **${index}** and [[short]].\n- an item\n  with a line\n\n1. one\n2. two\n`;
const blocks = [
  ...Array.from({ length: 6 }, (_, index) => section(index)),
  '> Quoted\n> text',
  '```\ncode\n\n# none\n```',
  '| a | b |\n| --- | --- |\n| 1 | 2 |',
  '    indented',
  '<div>\nhtml\n</div>',
  'Title\n===',
  '- [ ] task\n\n- [x] done',
  '---',
];
const inserted = [
  'a',
  'b ',
  '\n',
  '\n\n',
  '#',
  '- ',
  '`',
  '```\n',
  '> ',
  '    ',
  '|',
  '---',
  '<div>',
  '1. ',
  '*',
  '==',
  '',
];

describe('the patched tree of a changed note', () => {
  it.each([1, 2, 3, 4, 5, 6, 7, 8])('is that of the whole note, whatever was changed: seed %i', (seed) => {
    const random = randomNumbers(seed * 7_919);
    const below = (limit: number): number => Math.floor(random() * limit);
    let text = Array.from({ length: 40 }, () => blocks[below(blocks.length)] ?? '').join('\n\n');
    let tree = parser.parse(text);
    let count = 0;
    for (let edit = 0; edit < 250; edit += 1) {
      const from = below(text.length);
      const to = Math.min(text.length, from + (random() < 0.3 ? below(12) : 0));
      const insert = inserted[below(inserted.length)] ?? '';
      const { changed, patched } = apply(text, tree, { from, to, insert });
      const whole = parser.parse(changed);
      if (patched !== null) {
        expect(nodesOf(patched)).toEqual(nodesOf(whole));
        expect(patched.length).toBe(whole.length);
        count += 1;
      }
      text = changed;
      tree = patched ?? whole;
    }
    expect(count).toBeGreaterThan(50);
  });

  it('keeps all blocks that are away from the change', () => {
    const text = Array.from({ length: 1_100 }, (_, index) => section(index)).join('\n');
    const tree = parser.parse(text);
    const at = text.indexOf('Some words about **900**');
    const { patched } = apply(text, tree, { from: at, to: at, insert: 'a' });
    const known = new Set<Tree>();
    const collect = (node: Tree, into: (each: Tree) => void): void => {
      into(node);
      for (const child of node.children) if (child instanceof Tree) collect(child, into);
    };
    collect(tree, (each) => known.add(each));
    let added = 0;
    collect(patched ?? expect.unreachable('the tree was not patched'), (each) => {
      if (!known.has(each)) added += 1;
    });
    expect(known.size).toBeGreaterThan(5_000);
    expect(added).toBeLessThan(60);
  });
});
