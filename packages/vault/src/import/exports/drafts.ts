import { quoteText } from './conversation.ts';

/** A change of a text that a model writes beside the conversation: an artifact, a canvas or a file. */
export type DraftChange = {
  /** Identifies the text within the conversation. */
  id: string;
  /** Null keeps the title. */
  title: string | null;
  language: string;
  /** The whole text, or pieces of it that were replaced; a piece without `old` is new text in an unknown place. */
  change: { kind: 'whole'; text: string } | { kind: 'pieces'; pieces: { old: string | null; new: string }[] };
};

type Draft = { title: string; language: string; text: string };

/**
 * Returns a function that formats the changes of the texts of a conversation in order. The last change of each text shows
 * the whole text, if it is known; changes before it show what they wrote.
 */
export function createDraftFormatter(
  label: string,
  changes: readonly DraftChange[],
): (change: DraftChange) => string {
  const last = new Map(changes.map((change) => [change.id, change]));
  const drafts = new Map<string, Draft>();
  return (draft) => {
    const { id, change } = draft;
    const before = drafts.get(id);
    const title = draft.title ?? before?.title ?? 'Untitled';
    const language = draft.language === '' ? (before?.language ?? '') : draft.language;
    const text = change.kind === 'whole' ? change.text : replacePieces(before?.text ?? null, change.pieces);
    if (text !== null) drafts.set(id, { title, language, text });
    const isWhole = change.kind === 'whole' || (text !== null && last.get(id) === draft);
    if (isWhole) return quoteText(label, title, text ?? '', language);
    const written = change.pieces.map((piece) => piece.new).filter((piece) => piece.trim() !== '');
    return quoteText(label, `${title} (changed)`, written.join('\n…\n'), language);
  };
}

/** Null if a piece is not in the text exactly once. */
function replacePieces(
  text: string | null,
  pieces: readonly { old: string | null; new: string }[],
): string | null {
  let changed = text;
  for (const { old, new: replacement } of pieces) {
    if (changed === null || old === null || old === '' || changed.split(old).length !== 2) return null;
    changed = changed.replace(old, () => replacement);
  }
  return changed;
}
