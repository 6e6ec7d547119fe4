import type { getDocumentProxy } from 'unpdf';
import { cleanText } from '../markdown/clean-text.ts';
import { addLinks } from './add-links.ts';
import { formRuns } from './form-runs.ts';
import { multiply } from './matrix.ts';
import { plainStyle, prevailing } from './run.ts';
import type { Run, Style } from './run.ts';

type PdfDocument = Awaited<ReturnType<typeof getDocumentProxy>>;
export type PdfPage = Awaited<ReturnType<PdfDocument['getPage']>>;

/** An element of the document's tags; a leaf names runs by their `content`. */
export type TagNode = { role?: string; alt?: string; type?: string; id?: string; children?: TagNode[] };

export type PageText = {
  number: number;
  width: number;
  height: number;
  runs: Run[];
  /** What is written across the page, or up its side. */
  strayRuns: Run[];
  tags: TagNode | undefined;
};

type Item = Awaited<ReturnType<PdfPage['getTextContent']>>['items'][number];

export async function readPage(page: PdfPage, isTagged: boolean): Promise<PageText> {
  const { items } = await page.getTextContent({ includeMarkedContent: true });
  const styles = await readStyles(page, items);
  const view = page.getViewport({ scale: 1 });
  const annotations = await page.getAnnotations();
  const runs = readRuns(items, view.transform, styles);
  runs.push(...formRuns(annotations, view.transform, runs).map((run) => ({ ...run, angle: 0 })));
  const angle = prevailing(runs, ({ angle: turned }) => turned, 0);
  const upright = runs.filter((run) => run.angle === angle).map((run) => turn(run, view));
  const tags = isTagged ? ((await page.getStructTree()) as TagNode | null) : null;
  return {
    number: page.pageNumber,
    width: angle % 180 === 0 ? view.width : view.height,
    height: angle % 180 === 0 ? view.height : view.width,
    runs: addLinks(upright, annotations, view.transform),
    strayRuns: runs.filter((run) => run.angle !== angle),
    tags: tags ?? undefined,
  };
}

type TurnedRun = Run & { angle: number };

function readRuns(items: Item[], view: number[], styles: ReadonlyMap<string, Style>): TurnedRun[] {
  const runs: TurnedRun[] = [];
  const marks: { id?: string | undefined; tag?: string | undefined }[] = [];
  let isSpaced = false;
  for (const item of items) {
    if (!('str' in item)) {
      if (item.type === 'endMarkedContent') marks.pop();
      else marks.push(item);
      continue;
    }
    const text = readText(item.str);
    const words = text.trim();
    isSpaced ||= /^\s/.test(text);
    // Headers, footers and page numbers, where the document says so.
    if (words === '' || marks.some(({ tag }) => tag === 'Artifact')) continue;
    const [a = 1, b = 0, c = 0, d = 1, x = 0, y = 0] = multiply(view, item.transform as number[]);
    const content = marks.findLast(({ id }) => id)?.id;
    runs.push({
      text: words,
      x,
      y,
      width: item.width,
      size: Math.hypot(c, d),
      style: styles.get(item.fontName) ?? plainStyle,
      isRtl: item.dir === 'rtl',
      isSpaced,
      angle: Math.round((Math.atan2(b, a) * 180) / Math.PI),
      ...(content && { content }),
    });
    isSpaced = /\s$/.test(text);
  }
  return runs;
}

/** Bullets are letters of private fonts. */
function readText(text: string): string {
  return /^\s*[\uE000-\uF8FF]\s*$/.test(text) ? '•' : cleanText(text);
}

/** The names of fonts come with what a page draws, and that is read once for each new font. */
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

/** As if the page were held so that most of its lines are level. */
function turn(run: TurnedRun, { width, height }: { width: number; height: number }): Run {
  if (run.angle === 90) return { ...run, x: run.y, y: width - run.x };
  if (run.angle === -90) return { ...run, x: height - run.y, y: run.x };
  if (Math.abs(run.angle) === 180) return { ...run, x: width - run.x, y: height - run.y };
  return run;
}
