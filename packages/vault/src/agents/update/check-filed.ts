import type { UpdateInput } from '../../contract/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { parentPath, parseVaultPath, splitLines } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { asksToDrop } from './asks-to-drop.ts';
import { pathsChangedByAgent } from './stage-input.ts';
import type { StagedInput } from './stage-input.ts';
import { addedLines, readText } from './staged-files.ts';
import type { UpdateSecrets } from './update-secrets.ts';
import {
  findNumbers,
  findNumberWords,
  findUncoveredSentences,
  isCoveredBy,
  splitSentences,
} from '../../review/index.ts';

/** Lines of the vault that already contain the input. */
export type CitedLines = { path: string; start: number; end: number; text: string };

type FilingStatusOptions = {
  run: WriteRun;
  incoming: StagedInput;
  /** The folder of the answered inbox item. */
  answered: VaultPath | null;
  /** The agent's summary. */
  summary: string;
  /** Whether the agent has searched or read. */
  hasSearched: boolean;
  /** The text of the input. */
  inputText: string;
  /** The input; without the text of the answered item. */
  input: Pick<UpdateInput, 'text' | 'source'>;
  isUserAuthored: boolean;
  /** The input has masks instead of its secrets. */
  secrets: Pick<UpdateSecrets, 'hide'>;
};

/**
 * What happened to the input: `filed` in the vault or in a question; `known`, with the lines that already contain it;
 * `dropped` from an item because the user said so; `not-worth-keeping` if the agent looked and found no facts in it. Null if it is nowhere, whatever the agent claims.
 */
export type FilingStatus =
  /** `lines` are existing lines that the summary cites for the part that was already known. */
  | { kind: 'filed'; lines: CitedLines[] }
  | { kind: 'known'; lines: CitedLines[] }
  | { kind: 'dropped' }
  | { kind: 'not-worth-keeping' }
  | null;

export async function getFilingStatus({
  run,
  incoming,
  answered,
  summary,
  hasSearched,
  inputText,
  input,
  isUserAuthored,
  secrets,
}: FilingStatusOptions): Promise<FilingStatus> {
  const { transaction } = run;
  const { questionItemName } = run.view.layout();
  const written = pathsChangedByAgent(run, incoming).filter((path) => {
    const isPut = transaction.staged().get(path) != null;
    return isPut && (answered === null || parentPath(path) !== answered || questionItemName(path) !== null);
  });
  const { changelogPath, overviewPath } = run.view.layout();
  const isOnlyLogged = written.every((path) => path === changelogPath || path === overviewPath);
  const isDeleted = answered !== null && deletesItemFile(run, answered);
  if (isDeleted && isOnlyLogged && input.source.kind === 'person' && asksToDrop(input.text))
    return { kind: 'dropped' };
  const lines = await parseCitedLines(run, summary);
  const cited = lines.map((each) => ({ ...each, text: secrets.hide(each.text) }));
  // A text that was deleted although the answer does not say so is kept as it is.
  if (written.length > 0 || isDeleted) return { kind: 'filed', lines: cited };
  const citedText = cited.map(({ text }) => text).join('\n');
  const isKnown = hasSearched && (isCoveredBy(inputText, citedText) || hasAllNumbers(inputText, citedText));
  if (isKnown && cited.length > 0) return { kind: 'known', lines: cited };
  // The item that an answer is about is only dropped if the answer says so.
  const isWorthless = answered === null && hasSearched && notWorthKeeping.test(summary);
  // The user's own facts are always kept.
  return isWorthless && (!isUserAuthored || statesNothing(inputText)) ? { kind: 'not-worth-keeping' } : null;
}

/** Whether the agent deleted a file of the item that was there before, other than the question. */
function deletesItemFile({ transaction, view }: WriteRun, item: VaultPath): boolean {
  const { questionItemName } = view.layout();
  return [...transaction.staged()].some(
    ([path, after]) =>
      after === null &&
      transaction.before(path) !== null &&
      path.startsWith(`${item}/`) &&
      questionItemName(path) === null,
  );
}

const notWorthKeeping =
  /^\W*(?:nothing (?:\p{L}+ ){0,4}worth keeping|rien (?:\p{L}+ ){0,4}à (?:garder|conserver|retenir))/iu;

/** Whether a text has a number that is no day or hour, and another text has all its numbers: it may say the same in other words. */
function hasAllNumbers(text: string, other: string): boolean {
  return (
    [...findNumbers(text).flatMap(({ meanings }) => meanings), ...findNumberWords(text)].some(
      (number) => number >= 100,
    ) && findUncoveredSentences({ input: text, found: other, onlyNumbers: true }).length === 0
  );
}

function statesNothing(text: string): boolean {
  return findUncoveredSentences({ input: text, found: '' }).length === 0;
}

const namedLines = /(vault\/(?:(?!vault\/)[^\n`"<>|])*?\.md)`?(?::|,? \(?lines? )(\d+)(?:\s*[-–]\s*(\d+))?/g;

/** The existing lines that a summary cites. */
async function parseCitedLines(run: WriteRun, summary: string): Promise<CitedLines[]> {
  const known: CitedLines[] = [];
  for (const [, path = '', first = '', last] of summary.matchAll(namedLines)) {
    const parsed = parseVaultPath(path);
    const text = parsed.ok ? await readText(run, parsed.path) : null;
    if (text === null) continue;
    const [start, end] = [Number(first), Number(last ?? first)];
    const lines = splitLines(text);
    if (start >= 1 && start <= end && end <= lines.length)
      known.push({ path, start, end, text: lines.slice(start - 1, end).join('\n') });
  }
  return known;
}

/** Whether the vault already contains a text, so that its original wording need not be kept. */
export type IsRecorded = (text: string) => boolean;

type RecordedOptions = {
  run: WriteRun;
  incoming: StagedInput;
  /** The folder of the answered inbox item. */
  answered: VaultPath | null;
  inputText: string;
  /** Sentences of the input that code adds to the changelog entry. */
  quoted: readonly string[];
  /** Whether the review found every fact of the input. */
  isComplete: boolean;
  /** Sentences of the input that state no fact and were not filed. */
  leftOut: readonly string[];
};

/**
 * Creates a check of whether the lines that this update wrote contain a text. If they do not, because the text was
 * summarized or translated or because the agent wrote something else, the text itself is kept. Of the input, every fact
 * must be there; of an answered item or an attached note, every sentence.
 */
export function createRecordedCheck(
  account: FilingStatus,
  { run, incoming, answered, inputText, quoted, isComplete, leftOut }: RecordedOptions,
): IsRecorded {
  if (account?.kind === 'dropped' || account?.kind === 'not-worth-keeping') return () => true;
  // The files of the item are removed with it.
  const written = [...run.transaction.staged().keys()].filter(
    (path) => !incoming.files.has(path) && (answered === null || !path.startsWith(`${answered}/`)),
  );
  const added = written.flatMap((path) => addedLines(run, path));
  const known =
    account?.kind === 'known' || account?.kind === 'filed' ? account.lines.map(({ text }) => text) : [];
  const found = [...added, ...known, ...quoted].join('\n');
  const isReviewed = (text: string): boolean =>
    isComplete &&
    // The item that an answer is about is closed only if all of its text was filed.
    (answered === null || text === inputText || !splitSentences(text).some((each) => leftOut.includes(each)));
  return (text) =>
    isCoveredBy(text, found) &&
    (text === inputText || (account?.kind !== 'known' && inputText.includes(text.trim()))
      ? isReviewed(text)
      : findUncoveredSentences({ input: text, found }).length === 0);
}
