/** An earlier question and its answer as a document; null if there is no answer that a model may see. */
export type PreviousTurn = { question: string; document: string | null };

/** Maximum number of characters of earlier turns; the latest are kept. */
const maxHistoryCharacters = 24_000;

/** Formats the turns that a follow-up question refers to; empty if there are none. */
export function formatPreviousTurns(former: readonly PreviousTurn[]): string {
  let room = maxHistoryCharacters;
  const shown: string[] = [];
  for (const { question, document } of former.toReversed()) {
    const text = `Question:\n\n${question}\n\n${document === null ? '(answer not available)' : `Answer:\n\n${document}`}`;
    if (shown.length > 0 && text.length > room) break;
    shown.unshift(text.length > room ? `${text.slice(0, room)}\n… (truncated)` : text);
    room -= text.length;
  }
  if (shown.length === 0) return '';
  return `Earlier questions and answers. The lines may have changed since; search or read them again before you cite them.\n\n${shown.join('\n\n')}\n\n`;
}
