import { cropPng } from './crop-png.ts';
import type { Figure, InspectedPages } from './inspect-pages.ts';
import { boundingBox } from './run.ts';
import type { Box } from './run.ts';

/** An image in the text, with its bytes. */
export type ExtractedFigure = Box & { bytes: Uint8Array };

/** Extracts the figures of a page: photographs unchanged, and others rendered at a readable resolution. */
export async function extractFigures(
  inspected: InspectedPages,
  page: number,
  end: number,
): Promise<ExtractedFigure[]> {
  const groups = groupTouching((inspected.pages.get(page)?.figures ?? []).slice(0, 300)).filter((group) =>
    isLargeEnough(boundingBox(group)),
  );
  const composed = groups.filter((group) => !isSinglePhoto(group));
  const dpi = Math.min(200, Math.max(100, ...composed.flat().map((figure) => figure.dpi)));
  const shot = composed.length > 0 && performance.now() < end ? await inspected.render(page, dpi) : undefined;
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const box = boundingBox(group);
    const bytes =
      isSinglePhoto(group) || shot === undefined ? first.bytes : cropPng(shot, scale(box, dpi / 72));
    return bytes === undefined ? [] : [{ ...box, bytes }];
  });
}

/** Whether a figure is too large to be an ornament. */
function isLargeEnough({ left, top, right, bottom }: Box): boolean {
  return right - left >= 24 && bottom - top >= 24;
}

function isSinglePhoto([first, ...others]: readonly Figure[]): boolean {
  return first?.isJpeg === true && others.length === 0;
}

/** Groups images that touch into one figure, because some programs cut images into strips. */
function groupTouching(figures: readonly Figure[]): Figure[][] {
  const groups: Figure[][] = [];
  for (const figure of figures) {
    const near = groups.filter((group) => group.some((each) => touch(each, figure)));
    for (const group of near) groups.splice(groups.indexOf(group), 1);
    groups.push([...near.flat(), figure]);
  }
  return groups;
}

function touch(a: Box, b: Box): boolean {
  return a.left < b.right + 3 && b.left < a.right + 3 && a.top < b.bottom + 3 && b.top < a.bottom + 3;
}

function scale({ left, top, right, bottom }: Box, by: number): Box {
  return { left: left * by, top: top * by, right: right * by, bottom: bottom * by };
}
