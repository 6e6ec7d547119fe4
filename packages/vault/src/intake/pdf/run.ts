export type Style = { isBold: boolean; isItalic: boolean; isMono: boolean };

/** Text that the page draws in one operation. Coordinates are in points from the top left corner of the page. */
export type Run = {
  text: string;
  x: number;
  /** The baseline. */
  y: number;
  width: number;
  size: number;
  style: Style;
  isRtl: boolean;
  /** Whether the page contains a space before this run. */
  hasLeadingSpace: boolean;
  link?: string;
  /** The id by which the tags of the document refer to this run. */
  contentId?: string;
};

export type Box = { left: number; top: number; right: number; bottom: number };

export const plainStyle: Style = { isBold: false, isItalic: false, isMono: false };

export function boxOf(run: Run): Box {
  return {
    left: run.x,
    top: run.y - run.size * 0.8,
    right: run.x + run.width,
    bottom: run.y + run.size * 0.2,
  };
}

export function boundingBox(boxes: readonly Box[]): Box {
  const box = { left: Infinity, top: Infinity, right: -Infinity, bottom: -Infinity };
  for (const { left, top, right, bottom } of boxes) {
    box.left = Math.min(box.left, left);
    box.top = Math.min(box.top, top);
    box.right = Math.max(box.right, right);
    box.bottom = Math.max(box.bottom, bottom);
  }
  return box;
}

/** The length that two ranges share; zero or negative when they do not overlap. */
export function overlap(a: readonly [number, number], b: readonly [number, number]): number {
  return Math.min(a[1], b[1]) - Math.max(a[0], b[0]);
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}

/** The value that most letters have. */
export function mostCommon<R extends Run, T>(runs: readonly R[], value: (run: R) => T, otherwise: T): T {
  const letters = new Map<T, number>();
  for (const run of runs) letters.set(value(run), (letters.get(value(run)) ?? 0) + run.text.length);
  return [...letters].toSorted(([, a], [, b]) => b - a)[0]?.[0] ?? otherwise;
}
