import mammoth from 'mammoth';
import { createPictureKeeper } from '../markdown/image-collector.ts';
import type { Converter } from '../document.ts';
import { readZip } from '../zip.ts';
import { readCoreProperties } from './core-properties.ts';
import { formatDocxWarnings } from './docx-warnings.ts';
import { htmlToMarkdown } from './to-markdown.ts';

const styleMap = [
  "p[style-name='Title'] => h1.title:fresh",
  "p[style-name='Subtitle'] => p:fresh > em",
  "p[style-name='Quote'] => blockquote:fresh > p:fresh",
  "p[style-name='Intense Quote'] => blockquote:fresh > p:fresh",
  "p[style-name='Quotations'] => blockquote:fresh > p:fresh",
  "p[style-name='Preformatted Text'] => pre:separator('\n')",
  "p[style-name='HTML Preformatted'] => pre:separator('\n')",
  "p[style-name='Source Code'] => pre:separator('\n')",
];

/** Accepts tracked changes, and drops comments, headers and footers. Downloads nothing. */
export const convertDocx: Converter = async ({ bytes }, { stem, limits }) => {
  const parts = await readZip(bytes, limits);
  if (!(parts instanceof Map)) return parts;
  const { images, keep } = createPictureKeeper(stem);
  let dropped = 0;
  const { value, messages } = await mammoth.convertToHtml(
    { buffer: Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength) },
    {
      styleMap,
      includeEmbeddedStyleMap: false,
      externalFileAccess: false,
      convertImage: mammoth.images.imgElement(async (image) => {
        const name = keep(await image.readAsBuffer());
        if (name === undefined) dropped += 1;
        return { src: name ?? '' };
      }),
    },
  );
  const names = new Set(images.map(({ name }) => name));
  const markdown = htmlToMarkdown(demoteHeadings(value), {
    nameImage: (source) => (names.has(source) ? source : undefined),
  });
  return {
    kind: 'converted',
    markdown,
    images,
    metadata: { type: 'docx', ...readCoreProperties(parts.get('docProps/core.xml'), markdown) },
    warnings: formatDocxWarnings(messages, { dropped, comments: parts.get('word/comments.xml') }),
    attachments: [],
  };
};

/** Demotes the headings of a document that has a title. */
function demoteHeadings(html: string): string {
  if (!html.includes('<h1 class="title">')) return html;
  const lowered = html
    .replaceAll(/<h1 class="title">(.*?)<\/h1>/g, '<title-line>$1</title-line>')
    .replaceAll(/<(\/?)h([1-5])>/g, (_, slash: string, level: string) => `<${slash}h${Number(level) + 1}>`);
  return lowered.replaceAll('<title-line>', '<h1>').replaceAll('</title-line>', '</h1>');
}
