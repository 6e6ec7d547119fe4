import { describe, expect, it } from 'vitest';
import { piece } from '../../../../../test/intake/pdf-runs.ts';
import type { Block } from './block.ts';
import { placeFigures } from './place-figures.ts';

function paragraph(top: number, left = 0): Block {
  const place = { left, right: left + 100, top, bottom: top + 20, page: 1 };
  return { ...place, kind: 'paragraph', pieces: [piece('text')], size: 10, room: 0 };
}

/** The kinds of the blocks after a figure of 50 by 40 points was inserted. */
function kindsWith(blocks: Block[], { left = 0, top }: { left?: number; top: number }): string[] {
  const figure = { left, right: left + 50, top, bottom: top + 40, bytes: new Uint8Array() };
  return placeFigures(blocks, [figure], 1).map(({ kind }) => kind);
}

describe('a figure', () => {
  const blocks = [paragraph(100), paragraph(200)];

  it('follows the last block that ends above its middle', () => {
    expect(kindsWith(blocks, { top: 199 })).toEqual(['paragraph', 'picture', 'paragraph']);
    expect(kindsWith(blocks, { top: 201 })).toEqual(['paragraph', 'paragraph', 'picture']);
  });

  it('comes first when no block ends above its middle', () => {
    expect(kindsWith(blocks, { top: 99 })).toEqual(['picture', 'paragraph', 'paragraph']);
  });

  it('follows blocks of its own column, not of the one beside it', () => {
    const columns = [paragraph(100), paragraph(200, 200)];
    expect(kindsWith(columns, { top: 400, left: 99 })).toEqual(['paragraph', 'picture', 'paragraph']);
    expect(kindsWith(columns, { top: 400, left: 151 })).toEqual(['paragraph', 'paragraph', 'picture']);
    expect(kindsWith(columns, { top: 400, left: 100 })).toEqual(['picture', 'paragraph', 'paragraph']);
  });
});
