import { describe, expect, it } from 'vitest';
import type { Figure } from './inspect-pages.ts';
import { extractFigures } from './extract-figures.ts';

type Place = { left?: number; top?: number; width?: number; height?: number };

/** A photograph of 50 by 50 points in the top left corner by default. */
function figure(place: Place, more: Partial<Figure> = {}): Figure {
  const { left = 0, top = 0, width = 50, height = 50 } = place;
  const box = { left, top, right: left + width, bottom: top + height };
  return { ...box, bytes: new Uint8Array(), isJpeg: true, dpi: 150, ...more };
}

/** How many figures are extracted, and the resolution at which the page was rendered for them. */
async function take(...figures: Figure[]): Promise<{ count: number; dpi: number | undefined }> {
  let rendered: number | undefined;
  const seen = { rules: [], bullets: [], figures, runs: [], isImageOnly: false };
  const inspected = {
    pages: new Map([[1, seen]]),
    async render(_: number, dpi: number): Promise<undefined> {
      rendered = dpi;
    },
  };
  const extracted = await extractFigures(inspected, 1, Infinity);
  return { count: extracted.length, dpi: rendered };
}

describe('a figure', () => {
  it('is at least 24 points wide and high', async () => {
    expect((await take(figure({ width: 24, height: 24 }))).count).toBe(1);
    expect((await take(figure({ width: 23.9 }))).count).toBe(0);
    expect((await take(figure({ height: 23.9 }))).count).toBe(0);
  });

  it('combines images that are less than three points apart', async () => {
    expect((await take(figure({}), figure({ left: 52.9 }))).count).toBe(1);
    expect((await take(figure({}), figure({ left: 53.1 }))).count).toBe(2);
    expect((await take(figure({ left: 52.9 }), figure({}))).count).toBe(1);
    expect((await take(figure({ left: 53.1 }), figure({}))).count).toBe(2);
    expect((await take(figure({}), figure({ top: 52.9 }))).count).toBe(1);
    expect((await take(figure({}), figure({ top: 53.1 }))).count).toBe(2);
    expect((await take(figure({ top: 52.9 }), figure({}))).count).toBe(1);
    expect((await take(figure({ top: 53.1 }), figure({}))).count).toBe(2);
  });

  it('is extracted only from the first 300 images of a page', async () => {
    const many = Array.from({ length: 301 }, (_, index) => figure({ left: index * 100 }));
    expect((await take(...many)).count).toBe(300);
  });

  it('is rendered at its own resolution, but at least at 100 and at most at 200 dpi', async () => {
    const sharpness = async (dpi: number): Promise<number | undefined> =>
      (await take(figure({}, { isJpeg: false, dpi }))).dpi;
    expect(await sharpness(99)).toBe(100);
    expect(await sharpness(150)).toBe(150);
    expect(await sharpness(201)).toBe(200);
  });

  it('is not rendered again if it is a JPEG image', async () => {
    expect(await take(figure({}))).toEqual({ count: 1, dpi: undefined });
  });
});
