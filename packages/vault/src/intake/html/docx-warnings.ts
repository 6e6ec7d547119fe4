type DocxContents = { dropped: number; comments: Uint8Array | undefined };

const droppedContentMessages: [RegExp, string][] = [
  [/oMath/, 'Formulas were omitted.'],
  [/chart|dgm|diagram/i, 'Charts and diagrams were omitted.'],
  [/external|Could not find image/i, 'Linked images that are not in the file were not downloaded.'],
];

/** Mammoth reports every unknown style. Only content that is missing from the markdown becomes a warning. */
export function formatDocxWarnings(
  messages: readonly { message: string }[],
  { dropped, comments }: DocxContents,
): string[] {
  const warnings = droppedContentMessages
    .filter(([pattern]) => messages.some(({ message }) => pattern.test(message)))
    .map(([, warning]) => warning);
  if (dropped > 0) warnings.push(`${dropped} images were omitted (unsupported format).`);
  const written = new TextDecoder().decode(comments).match(/<w:comment /g)?.length ?? 0;
  if (written > 0) warnings.push(`Comments were omitted (${written}).`);
  return warnings;
}
