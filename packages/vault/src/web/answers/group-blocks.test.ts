import { expect, it } from 'vitest';
import { groupBlocks } from './group-blocks.ts';

const block = (number: number, start: number, text: string) => {
  const end = start + text.split('\n').length - 1;
  return { number, path: 'vault/a.md', start, end, revision: '', text };
};
const blocks = [block(1, 1, 'a\nb'), block(1, 9, 'c'), block(2, 20, 'd')];
const checked = (state: 'same' | 'moved') => {
  const place = { path: 'vault/a.md', start: 1, end: 1 };
  return state === 'same' ? { ...place, state } : { ...place, state, now: { start: 2, end: 2 } };
};

it('groups the ranges of one citation, with the state of the one that changed most', () => {
  const sources = groupBlocks(blocks, [checked('same'), checked('moved'), checked('same')]);
  expect(sources).toMatchObject([
    { number: 1, lineCount: 3, state: 'moved', ranges: [{ block: blocks[0] }, { block: blocks[1] }] },
    { number: 2, lineCount: 1, state: 'same' },
  ]);
});

it('has no state before the lines are checked', () => {
  expect(groupBlocks(blocks, undefined).map(({ state }) => state)).toEqual([undefined, undefined]);
});
