import { describe, expect, it } from 'vitest';
import { letters, page, run } from '../../../../../test/intake/pdf-runs.ts';
import type { InspectedPages } from './inspect-pages.ts';
import { renderScans } from './render-scans.ts';

const [sharp, modest] = [120, 90];

/** Pages whose renderings have this many bytes. Records the resolutions that were requested. */
function inspect({ isImageOnly = false, bytes = 1 }) {
  const sharpness: number[] = [];
  const seen = { rules: [], bullets: [], figures: [], runs: [], isImageOnly };
  const inspected: InspectedPages = {
    pages: new Map([1, 2, 3].map((number) => [number, seen])),
    async render(_, dpi) {
      sharpness.push(dpi);
      return new Uint8Array(bytes);
    },
  };
  return { inspected, sharpness };
}

async function shown(count: number, isImageOnly: boolean, images = 10): Promise<number[]> {
  const pages = [1, 2, 3].map((number) => page(number, count === 0 ? [] : [run(letters(count))]));
  const { inspected } = inspect({ isImageOnly });
  return [...(await renderScans(pages, inspected, { images, end: Infinity })).blocks.keys()];
}

describe('a page', () => {
  it('is rendered as an image when it has no letters', async () => {
    expect(await shown(0, false)).toEqual([1, 2, 3]);
    expect(await shown(1, false)).toEqual([]);
  });

  it('is rendered as an image when it has fewer than 150 letters on an image that covers it', async () => {
    expect(await shown(149, true)).toEqual([1, 2, 3]);
    expect(await shown(150, true)).toEqual([]);
  });

  it('beyond the maximum number of images is not rendered, but listed in a warning', async () => {
    expect(await shown(0, false, 2)).toEqual([1, 2]);
    const { warnings } = await renderScans(
      [1, 2, 3].map((number) => page(number, [])),
      inspect({}).inspected,
      { images: 2, end: Infinity },
    );
    expect(warnings).toEqual([expect.stringContaining('Pages 1–2'), expect.stringContaining('Page 3')]);
  });

  it('is rendered at a lower resolution, like all later pages, when its image has more than 1,500,000 bytes', async () => {
    const rendered = async (bytes: number): Promise<number[]> => {
      const { inspected, sharpness } = inspect({ bytes });
      await renderScans([page(1, []), page(2, [])], inspected, { images: 10, end: Infinity });
      return sharpness;
    };
    expect(await rendered(1_500_000)).toEqual([sharp, sharp]);
    expect(await rendered(1_500_001)).toEqual([sharp, modest, modest]);
  });
});
