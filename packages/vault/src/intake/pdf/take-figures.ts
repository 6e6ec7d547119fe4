import { cropPng } from './crop-png.ts';
import type { Figure, InspectedPages } from './inspect-pages.ts';
import { boundingBox } from './run.ts';
import type { Box } from './run.ts';

/** A picture in the text, with its bytes. */
export type TakenFigure = Box & { bytes: Uint8Array };

/** Figures of a page: photographs as they are, and others as the page shows them, sharp enough to be read. */
export async function takeFigures(
  inspected: InspectedPages,
  page: number,
  end: number,
): Promise<TakenFigure[]> {
  const groups = together((inspected.pages.get(page)?.figures ?? []).slice(0, 300)).filter((group) =>
    isLarge(boundingBox(group)),
  );
  const composed = groups.filter((group) => !isPhotograph(group));
  const dpi = Math.min(200, Math.max(100, ...composed.flat().map((figure) => figure.dpi)));
  const shot = composed.length > 0 && performance.now() < end ? await inspected.render(page, dpi) : undefined;
  return groups.flatMap((group) => {
    const [first] = group;
    if (first === undefined) return [];
    const box = boundingBox(group);
    const bytes =
      isPhotograph(group) || shot === undefined ? first.bytes : cropPng(shot, scale(box, dpi / 72));
    return bytes === undefined ? [] : [{ ...box, bytes }];
  });
}

/** Not an ornament. */
function isLarge({ left, top, right, bottom }: Box): boolean {
  return right - left >= 24 && bottom - top >= 24;
}

function isPhotograph([first, ...others]: readonly Figure[]): boolean {
  return first?.isJpeg === true && others.length === 0;
}

/** What touches is one figure: programs cut pictures into strips. */
function together(figures: readonly Figure[]): Figure[][] {
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
