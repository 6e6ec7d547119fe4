import type { TextSpan } from '../../packages/vault/src/intake/pdf/merge-lines.ts';
import { toLines } from '../../packages/vault/src/intake/pdf/line.ts';
import type { Line } from '../../packages/vault/src/intake/pdf/line.ts';
import type { PageText } from '../../packages/vault/src/intake/pdf/read-page.ts';
import { plainStyle } from '../../packages/vault/src/intake/pdf/run.ts';
import type { Run, Style } from '../../packages/vault/src/intake/pdf/run.ts';

type Place = Partial<Omit<Run, 'text' | 'style'>> & Partial<Style>;

/**
 * Creates a text run; by default at the left edge, with baseline 100 and a font size of 10 points. Each letter is half
 * as wide as the font size. At baseline `y`, letters of 10 points extend from `y - 8` to `y + 2`.
 */
export function run(text: string, { isBold, isItalic, isMono, ...place }: Place = {}): Run {
  const style = { isBold: isBold ?? false, isItalic: isItalic ?? false, isMono: isMono ?? false };
  const size = place.size ?? 10;
  return {
    text,
    x: 0,
    y: 100,
    width: (text.length * size) / 2,
    size,
    style,
    isRtl: false,
    hasLeadingSpace: false,
    ...place,
  };
}

export function line(text: string, place: Place = {}): Line {
  const [only] = toLines([run(text, place)]);
  if (only === undefined) throw new Error('One run is one line.');
  return only;
}

/** Lowercase letters without a space. */
export function letters(count: number): string {
  return 'x'.repeat(count);
}

export function piece(text: string): TextSpan {
  return { ...plainStyle, text, isRaised: false };
}

/** A page without tags, 600 points wide and 1000 high. */
export function page(number: number, runs: Run[]): PageText {
  return { number, width: 600, height: 1000, runs, rotatedRuns: [], tags: undefined };
}
