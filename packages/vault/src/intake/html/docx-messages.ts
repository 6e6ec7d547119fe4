type Found = { dropped: number; comments: Uint8Array | undefined };

const lost: [RegExp, string][] = [
  [/oMath/, 'Its formulas were left out.'],
  [/chart|dgm|diagram/i, 'Its charts and diagrams were left out.'],
  [/external|Could not find image/i, 'Pictures that are not in the file itself were not fetched.'],
];

/** Mammoth speaks of every style it does not know: only what is missing in the markdown is worth a word. */
export function explainMessages(
  messages: readonly { message: string }[],
  { dropped, comments }: Found,
): string[] {
  const warnings = lost
    .filter(([pattern]) => messages.some(({ message }) => pattern.test(message)))
    .map(([, warning]) => warning);
  if (dropped > 0) warnings.push(`${dropped} of its pictures are of a kind that cannot be kept.`);
  const written = new TextDecoder().decode(comments).match(/<w:comment /g)?.length ?? 0;
  if (written > 0) warnings.push(`Its comments (${written}) were left out.`);
  return warnings;
}
