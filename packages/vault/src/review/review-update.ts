import { extractBody, splitLines } from '../vault/index.ts';
import { findUncoveredSentences, isMailHeader, statesFact } from './coverage.ts';
import { findInventions } from './inventions.ts';
import type { Invention } from './inventions.ts';
import { findRemovals, findReplacedFacts, isNamedIn, minShareInEntry } from './removals.ts';
import type { Removal, ReviewedFile } from './removals.ts';
import { detectLanguage } from './word-overlap.ts';

/** An update that is about to be committed. */
export type ReviewedUpdate = {
  /** The text that came in. */
  input: string;
  /** The part of it whose sentences must be found; empty if all of it is kept as it is. */
  toCover: string;
  /** The user's answer to a question: sentences without facts are instructions, not content. */
  answer: string;
  /** A text whose numbers must be found; its words may differ. */
  numbersToCover: string;
  /** Whether the whole text is the user's own. */
  isUserAuthored: boolean;
  files: readonly ReviewedFile[];
  /** Everything that the agent was shown of the vault before it changed anything. */
  shown: readonly string[];
  /** The same after its first change; this may include its own text. */
  shownLater: readonly string[];
  /** Everything else it was shown: attached files, the answered question. */
  attached: readonly string[];
  /** Whether the agent was shown pictures. */
  hasImages: boolean;
  /** Existing lines that the agent cited because they already contain the input. */
  known: readonly string[];
  /** The agent's summary. It may name sentences that were left out on purpose. */
  summary: string;
  /** Whether removals are named in a changelog; otherwise the summary names them. */
  keepsChangelog: boolean;
  /** Whether the agent has searched or read. */
  hasLooked: boolean;
  /** Failed calls that were not repeated successfully. */
  failedCalls: readonly string[];
  /** The days of receipt and filing, as `2026-03-02`. */
  days: readonly string[];
};

/** What code found wrong with an update. Everything is empty if nothing is. */
export type Review = {
  /** Sentences of the input that state a fact and are nowhere. */
  uncovered: string[];
  /** Sentences that the agent named as not worth keeping, and sentences without facts that it did not file. */
  leftOut: string[];
  /** Removals that neither the input nor a new changelog entry names. */
  unnamed: Removal[];
  /** Sentences that an edit of their line removed, although neither the input nor the changes are about them. */
  replaced: Removal[];
  /** Removals that someone else's text caused: files, changelog entries, and anything that is not named. */
  causedByOthers: Removal[];
  /** Removals that only the agent's own entry names, if there are many. */
  unrequested: Removal[];
  inventions: Invention[];
  /** Existing files, except changelogs, that were changed without searching or reading first. */
  unread: string[];
  failedCalls: string[];
};

/** Honest updates remove up to three tasks or entries that the input does not mention. */
const maxUnrequestedRemovals = 5;

/** Reviews an update before it is committed. Pure: it decides nothing and changes nothing. */
export function reviewUpdate(update: ReviewedUpdate): Review {
  const { input, files } = update;
  const written = files.flatMap(addedLines);
  const entries = update.keepsChangelog
    ? files.filter(({ kind }) => kind === 'changelog').flatMap(addedLines)
    : [update.summary];
  const naming = entries.join('\n');
  const removals = findRemovals(files);
  const isNamed = (removal: Removal): boolean =>
    isNamedIn(removal, input) || isNamedIn(removal, naming, minShareInEntry);
  const named = removals.map(isNamed);
  const unnamed = removals.filter((_, index) => !named[index]);
  const unrequested = removals.filter((removal) => !isNamedIn(removal, input));
  return {
    ...findUncovered(update, written),
    unnamed,
    replaced: findReplacedFacts(files, [input, ...written].join('\n')).filter(
      ({ text }) => !removals.some((removal) => removal.text.includes(text)),
    ),
    causedByOthers: update.isUserAuthored
      ? []
      : removals.filter(({ kind }, index) => kind === 'file' || kind === 'entry' || !named[index]),
    unrequested: unrequested.length > maxUnrequestedRemovals ? unrequested : [],
    // Numbers and names in pictures cannot be compared.
    inventions: update.hasImages
      ? []
      : findInventions({
          files,
          // What the agent wrote itself does not support it.
          sources: [...update.shown, ...withoutLines(update.shownLater, written)],
          inputs: [input, ...update.attached],
          days: update.days,
        }),
    unread: update.hasLooked
      ? []
      : files.flatMap(({ path, kind, before }) => (before === null || kind === 'changelog' ? [] : [path])),
    failedCalls: [...update.failedCalls],
  };
}

/** The sentences that are nowhere: those that state facts, and the others, which an agent may leave out. */
function findUncovered(
  { toCover, answer, numbersToCover, summary, known: cited, shown, files }: ReviewedUpdate,
  written: readonly string[],
): { uncovered: string[]; leftOut: string[] } {
  // Lines that this update removes are not known any more.
  const known = withoutLines(
    shown,
    files.flatMap(({ before, after }) => addedLines({ before: after, after: before })),
  );
  const found = [...written.flatMap(withoutFilingDay), ...cited].join('\n');
  // An answer such as “It belongs to Norway” names the place where the agent files it.
  const places = files.map(({ path }) => path.replaceAll(/[-_/.]/g, ' '));
  const missing = [
    ...findUncoveredSentences({ input: toCover, found, known }),
    ...findUncoveredSentences({ input: numbersToCover, found, known, onlyNumbers: true }),
    ...findUncoveredSentences({ input: answer, found: [found, ...places].join('\n'), known }).filter(
      (sentence) => statesFact(sentence, detectLanguage(answer)),
    ),
  ];
  const named = new Set(missing);
  for (const sentence of findUncoveredSentences({
    input: missing.join('\n'),
    found: quotedAsLeftOut(summary),
  }))
    named.delete(sentence);
  const language = detectLanguage(`${toCover}\n${answer}\n${numbersToCover}`);
  const uncovered = missing.filter((sentence) => statesFact(sentence, language) && !named.has(sentence));
  const leftOut = missing.filter((sentence) => !uncovered.includes(sentence) && !isMailHeader(sentence));
  return { uncovered, leftOut };
}

/** Removes lines from texts, which may have line numbers. */
function withoutLines(texts: readonly string[], lines: readonly string[]): string[] {
  const removed = new Set(lines.map((line) => line.trim()));
  const isLeft = (line: string): boolean => !removed.has(line.replace(/^\s*\d+\s*\| ?/, '').trim());
  return texts.map((text) => text.split('\n').filter(isLeft).join('\n'));
}

function addedLines({ before, after }: Pick<ReviewedFile, 'before' | 'after'>): string[] {
  const old = new Set(splitLines(before ?? ''));
  return splitLines(extractBody(after ?? '')).filter((line) => line.trim() !== '' && !old.has(line));
}

/** The day of filing, which is in every entry and task, states no number of the input. */
function withoutFilingDay(line: string): string[] {
  return /^#\s+\d{4}-\d{2}-\d{2}\s*$/.test(line)
    ? []
    : [line.replace(/\b(?:added|ajoutée?|hinzugefügt|erstellt)\s?:\s*\d{4}-\d{2}-\d{2}/i, '')];
}

/** The sentences that the agent names as not worth keeping: `Left out: "…", "…"`. */
function quotedAsLeftOut(summary: string): string {
  const [, list = ''] = /(?:left out|laissé de côté|weggelassen)\s*:(.*)$/isu.exec(summary) ?? [];
  return list;
}
