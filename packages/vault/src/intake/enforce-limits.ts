import { plainKinds } from './passthrough-kinds.ts';
import type { Conversion, ConvertOptions, Metadata, Rejection } from './document.ts';
import { refuse } from './rejection.ts';

const maxWarnings = 20;
const maxTitleCharacters = 200;

/** Truncates a conversion to the limits and removes control characters. */
export function enforceLimits(
  conversion: Conversion,
  { limits, isTextOnly = false }: Pick<ConvertOptions, 'limits' | 'isTextOnly'>,
): Conversion | Rejection {
  if (plainKinds.has(conversion.metadata.type)) {
    return conversion.markdown.length <= limits.characters
      ? conversion
      : refuse('too-large', `the document is longer than ${limits.characters} characters; split it`);
  }
  const { markdown: written, left } = truncate(conversion.markdown, limits.characters);
  const markdown = isTextOnly ? removeImages(written, new Set(conversion.images)) : written;
  const found = isTextOnly ? [] : conversion.images;
  const images = found
    .filter(({ name, bytes }) => bytes.length <= limits.imageBytes && (left === 0 || markdown.includes(name)))
    .slice(0, limits.images);
  const attachments = conversion.attachments.slice(0, limits.attachments);
  if (markdown.trim() === '' && images.length === 0 && attachments.length === 0) {
    return refuse('empty', 'the document contains no text');
  }
  const lost = [
    [left, `Truncated: the last ${left} characters were omitted. The original is kept in full.`],
    [found.length - images.length, 'Some images were omitted (too many or too large).'],
    [conversion.attachments.length - attachments.length, `Only ${limits.attachments} attachments were read.`],
    [conversion.warnings.length - maxWarnings, 'More warnings were omitted.'],
  ] as const;
  return {
    kind: 'converted',
    markdown: removeImages(markdown, new Set(found).difference(new Set(images))),
    images,
    metadata: shortenMetadata(conversion.metadata),
    warnings: [
      ...conversion.warnings.slice(0, maxWarnings),
      ...lost.filter(([count]) => count > 0).map(([, warning]) => warning),
    ],
    attachments,
  };
}

/** Cuts at the end of a line, unless that is too far away. */
function truncate(text: string, characters: number): { markdown: string; left: number } {
  const whole = text.toWellFormed().replaceAll(/(?![\n\t])\p{Cc}/gu, '');
  if (whole.length <= characters) return { markdown: whole, left: 0 };
  const line = whole.lastIndexOf('\n', characters);
  const markdown = whole.slice(0, line > characters / 2 ? line : characters).toWellFormed();
  return { markdown, left: whole.length - markdown.length };
}

/** Replaces the dropped images with their descriptions. */
function removeImages(markdown: string, dropped: Set<{ name: string }>): string {
  if (dropped.size === 0) return markdown;
  const names = new Set([...dropped].map(({ name }) => name));
  return markdown.replaceAll(
    /!\[([^\]\n]{0,500})\]\(([^)\n]{1,500})\)/g,
    (whole, text: string, target: string) => (names.has(target) ? text : whole),
  );
}

function shortenMetadata({ title, author, ...rest }: Metadata): Metadata {
  const line = (text: string): string =>
    text
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, maxTitleCharacters)
      .toWellFormed();
  return {
    ...rest,
    ...(title !== undefined && { title: line(title) }),
    ...(author !== undefined && { author: line(author) }),
  };
}
