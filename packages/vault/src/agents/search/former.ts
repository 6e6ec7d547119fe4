/** A question that was asked before, and its answer as a document; null where there is none that a model may see. */
export type Former = { question: string; document: string | null };

/** Of what was said before, in characters: the latest counts most. */
const most = 24_000;

/** What a question that is asked on refers to; empty when it stands alone. */
export function formerText(former: readonly Former[]): string {
  let room = most;
  const shown: string[] = [];
  for (const { question, document } of former.toReversed()) {
    const text = `The person asked:\n\n${question}\n\n${document === null ? 'The answer is not at hand.' : `The answer was:\n\n${document}`}`;
    if (shown.length > 0 && text.length > room) break;
    shown.unshift(text.length > room ? `${text.slice(0, room)}\n… (cut off)` : text);
    room -= text.length;
  }
  if (shown.length === 0) return '';
  return `What was said before; its lines may have changed since, so look again before you cite them.\n\n${shown.join('\n\n')}\n\n`;
}
