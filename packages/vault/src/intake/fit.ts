import { plainKinds } from './plain-kinds.ts';
import type { Conversion, Limits, Metadata, Refusal } from './port.ts';
import { refuse } from './refusal.ts';

const mostWarnings = 20;
const longestTitle = 200;

/** What a converter made, within the limits and without control characters. */
export function fit(conversion: Conversion, limits: Limits): Conversion | Refusal {
  if (plainKinds.has(conversion.metadata.type)) {
    return conversion.markdown.length <= limits.characters
      ? conversion
      : refuse('too-large', `it is over ${limits.characters} characters long; split it`);
  }
  const { markdown, left } = cut(conversion.markdown, limits.characters);
  const images = conversion.images
    .filter(({ name, bytes }) => bytes.length <= limits.imageBytes && (left === 0 || markdown.includes(name)))
    .slice(0, limits.images);
  const attachments = conversion.attachments.slice(0, limits.attachments);
  if (markdown.trim() === '' && images.length === 0 && attachments.length === 0) {
    return refuse('empty', 'there is no text in it');
  }
  const lost = [
    [left, `It is very long: ${left} characters at its end were left out; the original is kept whole.`],
    [conversion.images.length - images.length, 'Some of its pictures were left out: too many, or too large.'],
    [conversion.attachments.length - attachments.length, `Only ${limits.attachments} attachments were read.`],
    [conversion.warnings.length - mostWarnings, 'There is more that did not survive.'],
  ] as const;
  return {
    kind: 'converted',
    markdown: withoutImages(markdown, new Set(conversion.images).difference(new Set(images))),
    images,
    metadata: short(conversion.metadata),
    warnings: [
      ...conversion.warnings.slice(0, mostWarnings),
      ...lost.filter(([count]) => count > 0).map(([, warning]) => warning),
    ],
    attachments,
  };
}

/** At the end of a line, unless that is far away. */
function cut(text: string, characters: number): { markdown: string; left: number } {
  const whole = text.toWellFormed().replaceAll(/(?![\n\t])\p{Cc}/gu, '');
  if (whole.length <= characters) return { markdown: whole, left: 0 };
  const line = whole.lastIndexOf('\n', characters);
  const markdown = whole.slice(0, line > characters / 2 ? line : characters).toWellFormed();
  return { markdown, left: whole.length - markdown.length };
}

/** Leaves what a picture is described by. */
function withoutImages(markdown: string, dropped: Set<{ name: string }>): string {
  if (dropped.size === 0) return markdown;
  const names = new Set([...dropped].map(({ name }) => name));
  return markdown.replaceAll(
    /!\[([^\]\n]{0,500})\]\(([^)\n]{1,500})\)/g,
    (whole, text: string, target: string) => (names.has(target) ? text : whole),
  );
}

function short({ title, author, ...rest }: Metadata): Metadata {
  const line = (text: string): string =>
    text
      .replaceAll(/[\s\p{Cc}]+/gu, ' ')
      .trim()
      .slice(0, longestTitle)
      .toWellFormed();
  return {
    ...rest,
    ...(title !== undefined && { title: line(title) }),
    ...(author !== undefined && { author: line(author) }),
  };
}
