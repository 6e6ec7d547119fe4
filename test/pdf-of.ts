import { helvetica, pdf, stream, words } from './intake/hostile/pdf-file.ts';

/** A PDF with these lines of text on each page. */
export function pdfOf(...pages: (string | string[])[]): Buffer {
  const font = 3 + 2 * pages.length;
  const contents = (lines: string | string[]): string =>
    [lines]
      .flat()
      .map((line, index) => words(line, 72, 720 - 40 * index))
      .join('');
  return pdf([
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages.map((_, index) => `${3 + 2 * index} 0 R`).join(' ')}] /Count ${pages.length} >>`,
    ...pages.flatMap((lines, index) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + 2 * index} 0 R /Resources << /Font << /F1 ${font} 0 R >> >> >>`,
      stream(contents(lines)),
    ]),
    helvetica,
  ]);
}
