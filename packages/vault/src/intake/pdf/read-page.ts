import type { getDocumentProxy } from 'unpdf';
import { cleanText } from '../markdown/clean-text.ts';
import { addLinks } from './add-links.ts';
import { readFormFields } from './form-runs.ts';
import { multiply } from './matrix.ts';
import { plainStyle, mostCommon } from './run.ts';
import type { Run, Style } from './run.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

/** An element of the tag tree; a leaf refers to runs by their `contentId`. */
export type TagNode = { role?: string; alt?: string; type?: string; id?: string; children?: TagNode[] };

export type PageText = {
  number: number;
  width: number;
  height: number;
  runs: Run[];
  /** Rotated text: diagonally across the page or along its side. */
  rotatedRuns: Run[];
  tags: TagNode | undefined;
};

type Item = Awaited<ReturnType<PdfPage['getTextContent']>>['items'][number];

export async function readPage(page: PdfPage, isTagged: boolean): Promise<PageText> {
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  const styles = await readStyles(page, items);
  const view = page.getViewport({ scale: 1 });
  const annotations = await page.getAnnotations();
  const runs = readRuns(items, view.transform, styles);
  runs.push(...readFormFields(annotations, view.transform, runs).map((run) => ({ ...run, angle: 0 })));
  const angle = mostCommon(runs, ({ angle: turned }) => turned, 0);
  const upright = runs.filter((run) => run.angle === angle).map((run) => turn(run, view));
  const tags = isTagged ? ((await page.getStructTree()) as TagNode | null) : null;
  return {
    number: page.pageNumber,
    width: angle % 180 === 0 ? view.width : view.height,
    height: angle % 180 === 0 ? view.height : view.width,
    runs: addLinks(upright, annotations, view.transform),
    rotatedRuns: runs.filter((run) => run.angle !== angle),
    tags: tags ?? undefined,
  };
}

type RotatedRun = Run & { angle: number };

function readRuns(items: Item[], view: number[], styles: ReadonlyMap<string, Style>): RotatedRun[] {
  const runs: RotatedRun[] = [];
  const marks: { id?: string | undefined; tag?: string | undefined }[] = [];
  let hasLeadingSpace = false;
  for (const item of items) {
    if (!('str' in item)) {
      if (item.type === 'endMarkedContent') marks.pop();
      else marks.push(item);
      continue;
    }
    const text = readText(item.str);
    const words = text.trim();
    hasLeadingSpace ||= /^\s/.test(text);
    // Skips headers, footers and page numbers that the document tags as artifacts.
    if (words === '' || marks.some(({ tag }) => tag === 'Artifact')) continue;
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = multiply(view, item.transform as number[]);
    const contentId = marks.findLast(({ id }) => id)?.id;
    runs.push({
      text: words,
      x,
      y,
      width: item.width,
      size: Math.hypot(c, d),
      style: styles.get(item.fontName) ?? plainStyle,
      isRtl: item.dir === 'rtl',
      hasLeadingSpace,
      angle: Math.round((Math.atan2(b, a) * 180) / Math.PI),
      ...(contentId && { contentId }),
    });
    hasLeadingSpace = /\s$/.test(text);
  }
  return runs;
}

/** Replaces a lone private-use character, which is a bullet of a symbol font. */
function readText(text: string): string {
  return /^\s*[\uE000-\uF8FF]\s*$/.test(text) ? '•' : cleanText(text);
}

/** Font names are only in the operator list of a page, which is read once for each new font. */
async function readStyles(page: PdfPage, items: Item[]): Promise<Map<string, Style>> {
  const fonts = new Set(items.flatMap((item) => ('fontName' in item ? [item.fontName] : [])));
  if ([...fonts].some((font) => !page.commonObjs.has(font))) await page.getOperatorList();
  return new Map(
    [...fonts]
      .filter((font) => page.commonObjs.has(font))
      .map((font) => [font, styleOf((page.commonObjs.get(font) as { name?: string } | null)?.name ?? '')]),
  );
}

function styleOf(name: string): Style {
  return {
    isBold: /bold|black|heavy|demi|medi$|cmbx?\d/i.test(name),
    isItalic: /ital|obli|slant|cmti|cmsl(?!tt)/i.test(name),
    isMono: /mono|nimbusmon|courier|consol|menlo|typewriter|cm(?:sl)?tt|source ?code/i.test(name),
  };
}

/** Rotates a run as if the page were turned until most of its lines are horizontal. */
function turn(run: RotatedRun, { width, height }: { width: number; height: number }): Run {
  if (run.angle === 90) return { ...run, x: run.y, y: width - run.x };
  if (run.angle === -90) return { ...run, x: height - run.y, y: run.x };
  if (Math.abs(run.angle) === 180) return { ...run, x: width - run.x, y: height - run.y };
  return run;
}
