type PdfObject = string | { dictionary: string; stream: Uint8Array };

/** Creates a PDF from these objects, with a correct cross-reference table. The first object is the catalogue. */
export function pdf(objects: PdfObject[], trailer = ''): Buffer {
  const pieces = [Buffer.from('%PDF-1.7\n')];
  const offsets: number[] = [];
  let size = 9;
  const add = (piece: Uint8Array): void => {
    pieces.push(Buffer.from(piece));
    size += piece.length;
  };
  for (const [at, object] of objects.entries()) {
    offsets.push(size);
    add(Buffer.from(`${at + 1} 0 obj\n`));
    if (typeof object === 'string') add(Buffer.from(object));
    else {
      add(Buffer.from(`<< ${object.dictionary} /Length ${object.stream.length} >>\nstream\n`));
      add(object.stream);
      add(Buffer.from('\nendstream'));
    }
    add(Buffer.from('\nendobj\n'));
  }
  const table = offsets.map((offset) => `${String(offset).padStart(10, '0')} 00000 n \n`).join('');
  const start = size;
  add(
    Buffer.from(
      `xref\n0 ${objects.length + 1}\n0000000000 65535 f \n${table}` +
        `trailer\n<< /Size ${objects.length + 1} /Root 1 0 R ${trailer} >>\nstartxref\n${start}\n%%EOF\n`,
    ),
  );
  return Buffer.concat(pieces);
}

export const helvetica = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>';

type PageOptions = { catalog?: string; page?: string; resources?: string; more?: PdfObject[] };

/** A PDF with one page. Objects: 1 catalogue, 2 page tree, 3 page, 4 contents, 5 font, 6 and later `more`. */
export function onePage(
  contents: PdfObject,
  { catalog = '', page = '', resources = '', more = [] }: PageOptions = {},
): Buffer {
  return pdf([
    `<< /Type /Catalog /Pages 2 0 R ${catalog} >>`,
    '<< /Type /Pages /Kids [3 0 R] /Count 1 >>',
    `<< /Type /Page /Parent 2 0 R ${page.includes('/MediaBox') ? '' : '/MediaBox [0 0 612 792]'} /Contents 4 0 R
/Resources << /Font << /F1 5 0 R >> ${resources} >> ${page} >>`,
    contents,
    helvetica,
    ...more,
  ]);
}

export function words(text: string, x = 72, y = 720): string {
  return `BT /F1 12 Tf ${x} ${y} Td (${text}) Tj ET\n`;
}

export function stream(contents: string | Uint8Array, dictionary = ''): PdfObject {
  return { dictionary, stream: Buffer.from(contents) };
}
