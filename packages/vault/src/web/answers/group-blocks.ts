import type { Answer } from '../../contract/index.ts';
import type { VerifiedBlock } from '../api/answers-api.ts';

type Block = Answer['blocks'][number];

/** The ranges that one citation refers to, with the result of the latest check of each. */
export type Source = {
  number: number;
  path: string;
  ranges: readonly { block: Block; checked: VerifiedBlock | undefined }[];
  lineCount: number;
  /** Undefined until all ranges are checked. */
  state: VerifiedBlock['state'] | undefined;
};

/** Groups the blocks of an answer by citation. `checked` has one entry per block, in the same order. */
export function groupBlocks(
  blocks: readonly Block[],
  checked: readonly VerifiedBlock[] | undefined,
): Source[] {
  const all = blocks.map((block, index) => ({ block, checked: checked?.[index] }));
  return [...Map.groupBy(all, ({ block }) => block.number)].map(([number, ranges]) => {
    const states = ranges.map((range) => range.checked?.state);
    return {
      number,
      path: ranges[0]?.block.path ?? '',
      ranges,
      lineCount: ranges.reduce((sum, { block }) => sum + block.text.split('\n').length, 0),
      state: states.includes(undefined) ? undefined : worstState(states),
    };
  });
}

function worstState(states: readonly (VerifiedBlock['state'] | undefined)[]): VerifiedBlock['state'] {
  if (states.includes('changed')) return 'changed';
  return states.includes('moved') ? 'moved' : 'same';
}
