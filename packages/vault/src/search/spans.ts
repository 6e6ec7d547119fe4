import type { Occurrence } from './occurrences.ts';

type Span = { start: number; end: number };

export function findComments(text: string): Span[] {
  const spans: Span[] = [];
  for (let start = text.indexOf('<!--'); start >= 0;) {
    const closing = text.indexOf('-->', start);
    const end = closing < 0 ? text.length : closing;
    spans.push({ start, end });
    start = text.indexOf('<!--', end);
  }
  return spans;
}

/**
 * Creates a function that tests whether a position is in one of the spans. Positions must be passed in ascending order,
 * so that each span is visited once.
 */
function createSpanTester(spans: readonly Span[]): (at: number) => boolean {
  let next = 0;
  return (at) => {
    while (next < spans.length && (spans[next]?.end ?? at) <= at) next += 1;
    return at >= (spans[next]?.start ?? Infinity);
  };
}

/** How much of the strength of occurrences is left. */
export function remainingShare(before: readonly Occurrence[], after: readonly Occurrence[]): number {
  const sum = (all: readonly Occurrence[]): number =>
    all.reduce((total, { strength }) => total + strength, 0);
  return before.length === 0 ? 1 : sum(after) / sum(before);
}

/** Multiplies the strength of the occurrences within these spans. */
export function weighSpans(occurrences: Occurrence[], spans: readonly Span[], weight: number): Occurrence[] {
  if (spans.length === 0) return occurrences;
  const isInside = createSpanTester(spans);
  return occurrences.map((each) =>
    isInside(each.start) ? { ...each, strength: each.strength * weight } : each,
  );
}

/** Whether the text contains the exact text of the query outside comments. */
export function occursOutside(comments: readonly Span[], text: string, exactText: string): boolean {
  const isInComment = createSpanTester(comments);
  for (let at = text.indexOf(exactText); at >= 0; at = text.indexOf(exactText, at + 1))
    if (!isInComment(at)) return true;
  return false;
}

const assistants = '(?:assistant|chatgpt|claude|codex|copilot|gemini|le chat)\\b';
const assistantHeading = new RegExp(`^${assistants}`, 'i');
const assistantLine = new RegExp(`^#{2,3} +${assistants}.*$`, 'gm');

/** The turns of an AI in a conversation, up to the next heading of a turn. */
export function findAssistantTurns(
  { headings }: { headings: readonly { text: string }[] },
  foldedBody: string,
): Span[] {
  const spans: Span[] = [];
  const isContinued = assistantHeading.test(headings.at(-1)?.text ?? '');
  const starts = [
    ...(isContinued ? [0] : []),
    ...[...foldedBody.matchAll(assistantLine)].map(({ index }) => index),
  ];
  for (const start of starts) {
    if (start < (spans.at(-1)?.end ?? 0)) continue;
    const next = /^#{2,3} /gm;
    next.lastIndex = start + 1;
    spans.push({ start, end: next.exec(foldedBody)?.index ?? foldedBody.length });
  }
  return spans;
}
