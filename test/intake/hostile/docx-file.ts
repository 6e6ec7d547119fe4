import { zip } from './zip.ts';
import type { ZipEntry } from './zip.ts';

const contentTypes = `<?xml version="1.0"?><Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">
<Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>
<Default Extension="xml" ContentType="application/xml"/><Default Extension="png" ContentType="image/png"/>
<Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/>
</Types>`;

export function relationships(...lines: string[]): string {
  return `<?xml version="1.0"?><Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships">${lines.join('')}</Relationships>`;
}

export const officeType = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';

export function paragraph(text: string): string {
  return `<w:p><w:r><w:t>${text}</w:t></w:r></w:p>`;
}

/** Creates a Word document. Entries in `more` replace its own entries of the same name. */
export function docx(body: string, more: ZipEntry[] = []): Buffer {
  const namespaces =
    'xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main" ' +
    `xmlns:r="${officeType}" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" ` +
    'xmlns:wp="http://schemas.openxmlformats.org/drawingml/2006/wordprocessingDrawing" ' +
    'xmlns:pic="http://schemas.openxmlformats.org/drawingml/2006/picture"';
  const own: ZipEntry[] = [
    { name: '[Content_Types].xml', content: contentTypes },
    {
      name: '_rels/.rels',
      content: relationships(
        `<Relationship Id="r1" Type="${officeType}/officeDocument" Target="word/document.xml"/>`,
      ),
    },
    {
      name: 'word/document.xml',
      content: `<?xml version="1.0"?><w:document ${namespaces}><w:body>${body}</w:body></w:document>`,
    },
  ];
  const replaced = new Set(more.map(({ name }) => name));
  return zip([...own.filter(({ name }) => !replaced.has(name)), ...more]);
}
