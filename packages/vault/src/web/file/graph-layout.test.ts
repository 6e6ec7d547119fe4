import { expect, it } from 'vitest';
import { joinLinks, placeAround } from './graph-layout.ts';

it('joins links in both directions and leaves out the note itself', () => {
  expect(joinLinks('a.md', ['b.md', 'a.md', 'c.md'], ['c.md', 'd.md', 'a.md'])).toEqual([
    { path: 'b.md', direction: 'to' },
    { path: 'c.md', direction: 'both' },
    { path: 'd.md', direction: 'from' },
  ]);
});

it('places all notes inside of the picture, each somewhere else', () => {
  for (const count of [1, 2, 7, 16]) {
    const notes = Array.from({ length: count }, (_, index) => ({
      path: `${index}.md`,
      direction: 'to' as const,
    }));
    const placed = placeAround(notes, 240, 200);
    for (const { x, y } of placed) {
      expect(x).toBeGreaterThan(0);
      expect(x).toBeLessThan(240);
      expect(y).toBeGreaterThan(0);
      expect(y).toBeLessThan(200);
    }
    expect(new Set(placed.map(({ x, y }) => `${x.toFixed(1)} ${y.toFixed(1)}`)).size).toBe(count);
  }
});
