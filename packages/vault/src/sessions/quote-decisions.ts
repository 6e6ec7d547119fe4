import {
  effectiveDay,
  escapeInvisible,
  eventDay,
  formatPath,
  parseChangelog,
  splitLines,
} from '../vault/index.ts';
import type { ChangelogEntry, VaultPath } from '../vault/index.ts';
import type { BriefWords } from './brief-words.ts';
import { estimateTokens } from './estimate-tokens.ts';
import type { Part } from './fill-parts.ts';
import { estimateSentence, fitSentences, formatSentences, splitSentences } from './sentences.ts';
import type { QuotedLine, Sentence } from './sentences.ts';

/** The brief has room for hardly more. */
const maxDecisions = 12;

/** Quotes the decisions of a changelog that hold, newest first: their headings, and as far as there is room their reasons. */
export function quoteDecisions(
  { path, text }: { path: VaultPath; text: string },
  today: string,
  words: BriefWords,
): Part['quote'] {
  const entries = parseChangelog(text);
  const decisions = entries
    .filter((entry) => isDecision(entry.heading) && !isReplaced(entry, { path, entries, today }))
    .map((entry) => ({ entry, day: eventDay(entry) ?? '' }))
    .toSorted((a, b) => Number(b.day > a.day) - Number(b.day < a.day))
    .map(({ entry }) => entry);
  const lines = splitLines(text).map((line, index) => ({ text: line, number: index + 1 }));
  const quoted = decisions.slice(0, maxDecisions).map((entry) => {
    const [heading = { text: '', number: 0 }, ...reasons] = lines.slice(
      entry.lines.start - 1,
      entry.lines.end,
    );
    return [{ ...heading, text: formatHeading(entry, words) }, ...reasons.filter((line) => !isField(line))];
  });
  const sentences = quoted.map(([heading = { text: '', number: null }, ...reasons]) => [
    { kind: 'heading' as const, text: heading.text, fragments: [{ line: 0, text: heading.text }] },
    ...splitSentences(reasons).map((sentence) => ({
      ...sentence,
      fragments: sentence.fragments.map(({ line, text: part }) => ({ line: line + 1, text: part })),
    })),
  ]);
  const title = (shown: number): string =>
    `${formatPath(path)}, ${words.recentDecisions(shown, decisions.length)}`;
  const frame = estimateTokens(`${title(decisions.length)}\n${words.more(`${formatPath(path)}:1000-1000`)}`);
  const format = (tokens: number): string | null => {
    const chosen = choose(sentences, tokens - frame);
    const shown = sentences.filter(([heading]) => heading !== undefined && chosen.has(heading)).length;
    if (shown === 0) return null;
    const missing = [
      ...quoted.flatMap((own, index) =>
        (sentences[index] ?? [])
          .filter((sentence) => !chosen.has(sentence))
          .flatMap(({ fragments }) => fragments.map(({ line }) => own[line]?.number ?? 1)),
      ),
      ...decisions.slice(maxDecisions).flatMap(({ lines: { start, end } }) => [start, end]),
    ];
    return [
      title(shown),
      ...quoted.flatMap((own, index) =>
        formatSentences(own, sentences[index] ?? [], (sentence) => chosen.has(sentence)),
      ),
      ...(missing.length === 0
        ? []
        : [words.more(`${formatPath(path)}:${Math.min(...missing)}-${Math.max(...missing)}`)]),
    ].join('\n');
  };
  return (tokens) => fitSentences(tokens, format);
}

/** All headings before any reason. */
function choose(sentences: readonly Sentence[][], tokens: number): Set<Sentence> {
  const chosen = new Set<Sentence>();
  let left = tokens;
  for (const group of [sentences.map((own) => own.slice(0, 1)), sentences])
    for (const sentence of group.flat()) {
      if (chosen.has(sentence)) continue;
      left -= estimateSentence(sentence);
      if (left < 0) return chosen;
      chosen.add(sentence);
    }
  return chosen;
}

const isDecision = (heading: string): boolean =>
  /\[(decision|décision)\]|^(decision|décision)\b/i.test(heading.normalize('NFC'));

/** Whether an entry of the same changelog has replaced this one. */
function isReplaced(
  entry: ChangelogEntry,
  { path, entries, today }: { path: VaultPath; entries: readonly ChangelogEntry[]; today: string },
): boolean {
  return entries.some(
    (other) =>
      other !== entry &&
      (effectiveDay(other) ?? '') <= today &&
      other.replaces.some(
        (each) =>
          each.path === path &&
          each.heading === entry.heading &&
          (each.day === null || each.day === entry.day),
      ),
  );
}

function formatHeading(entry: ChangelogEntry, words: BriefWords): string {
  const day = eventDay(entry) ?? '';
  return escapeInvisible(
    `${day} ${entry.heading}${entry.from === null ? '' : ` ${words.from(entry.from)}`}`.trim(),
  );
}

/** A line that `formatHeading` has said, or that is for programs. */
function isField({ text }: QuotedLine): boolean {
  return /^(?:when|from|replaces):/.test(text);
}
