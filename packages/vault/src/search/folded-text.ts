import { findAssistantTurns, findComments } from './spans.ts';
import { normalizeText } from './tokenizer.ts';

type Span = { start: number; end: number };

/** The text of a chunk as it is compared with queries. */
export type FoldedText = {
  headingPath: string;
  body: string;
  /** The HTML comments in the body. */
  comments: readonly Span[];
  /** What an AI said, if the body is a conversation. */
  turns: readonly Span[];
};

export function foldText({
  headingPath,
  headings,
  body,
}: {
  headingPath: string;
  headings: readonly { text: string }[];
  body: string;
}): FoldedText {
  const folded = normalizeText(body);
  return {
    headingPath: normalizeText(headingPath),
    body: folded,
    comments: findComments(folded),
    turns: findAssistantTurns({ headings }, folded),
  };
}
