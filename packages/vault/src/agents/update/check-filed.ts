import type { WriteRun } from '../../tools/index.ts';
import { childPath, originalName, parentPath, parseVaultPath, splitLines } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { pathsChangedByAgent } from './stage-input.ts';
import type { StagedInput } from './stage-input.ts';
import { addedLines, readText } from './staged-files.ts';
import { isCoveredBy } from './word-overlap.ts';

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
};

/**
 * What happened to the input: `filed` in the vault or in a question; `known`, with the lines that already contain it;
 * `dropped` from an item because the user said so. Null if it is nowhere, whatever the agent claims.
 */
export type FilingStatus =
  | { kind: 'filed' }
  | { kind: 'known'; lines: CitedLines[] }
  | { kind: 'dropped' }
  | null;

export async function getFilingStatus({
  run,
  incoming,
  answered,
  summary,
  hasSearched,
  inputText,
}: FilingStatusOptions): Promise<FilingStatus> {
  const { transaction } = run;
  const { questionItemName } = run.view.layout();
  const written = pathsChangedByAgent(run, incoming).filter((path) => {
    const isPut = transaction.staged().get(path) != null;
    return isPut && (answered === null || parentPath(path) !== answered || questionItemName(path) !== null);
  });
  if (written.length > 0) return { kind: 'filed' };
  if (answered !== null && transaction.staged().get(childPath(answered, originalName)) === null)
    return { kind: 'dropped' };
  const lines = hasSearched ? await parseCitedLines(run, summary, inputText) : [];
  return lines.length > 0 ? { kind: 'known', lines } : null;
}

const namedLines = /(vault\/(?:(?!vault\/)[^\n`"<>|])*?\.md)`?(?::|,? \(?lines? )(\d+)(?:\s*[-–]\s*(\d+))?/g;

/** The existing lines that a summary cites; empty if together they do not contain the input. */
async function parseCitedLines(run: WriteRun, summary: string, inputText: string): Promise<CitedLines[]> {
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
  return isCoveredBy(inputText, known.map(({ text }) => text).join('\n')) ? known : [];
}

/** Whether the vault already contains a text, so that its original wording need not be kept. */
export type IsRecorded = (text: string) => boolean;

/**
 * Creates a check of whether the lines that this update wrote contain a text. If they do not, because the text was
 * summarized or translated or because the agent wrote something else, the text itself is kept. Cited lines suffice as
 * proof; only for an inbox item, whose originals may exist nowhere else, are they compared with the text.
 */
export function createRecordedCheck(
  account: FilingStatus,
  { run, incoming, answered }: { run: WriteRun; incoming: StagedInput; answered: VaultPath | null },
): IsRecorded {
  if (account?.kind === 'dropped' || (account?.kind === 'known' && answered === null)) return () => true;
  const written = [...run.transaction.staged().keys()].filter((path) => !incoming.files.has(path));
  const added = written.flatMap((path) => addedLines(run, path));
  const known = account?.kind === 'known' ? account.lines.map(({ text }) => text) : [];
  const all = [...added, ...known].join('\n');
  return (text) => isCoveredBy(text, all);
}
