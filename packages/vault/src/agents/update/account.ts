import type { WriteRun } from '../../tools/index.ts';
import {
  childPath,
  itemAskedIn,
  originalName,
  parentPath,
  parseVaultPath,
  splitLines,
} from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { touchedPaths } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { linesAdded, textAt } from './place.ts';
import { isFoundIn } from './shared-words.ts';

/** Lines of the vault that say already what came in. */
export type KnownLines = { path: string; start: number; end: number; text: string };

type Question = {
  run: WriteRun;
  incoming: Incoming;
  /** The folder of the inbox item that is answered. */
  answered: VaultPath | null;
  /** What the agent said of it. */
  summary: string;
  /** Whether it has searched or read. */
  hasLooked: boolean;
  /** The words that came in. */
  words: string;
};

/**
 * What has become of what came in: `filed` in the vault, or asked about; `known`, with the lines that say it; `dropped`
 * from an item on the word of the person. Null when it is nowhere, whatever the agent says of it.
 */
export type Account = { kind: 'filed' } | { kind: 'known'; lines: KnownLines[] } | { kind: 'dropped' } | null;

export async function accountFor({
  run,
  incoming,
  answered,
  summary,
  hasLooked,
  words,
}: Question): Promise<Account> {
  const { transaction } = run;
  const written = touchedPaths(run, incoming).filter((path) => {
    const isPut = transaction.staged().get(path) != null;
    return isPut && (answered === null || parentPath(path) !== answered || itemAskedIn(path) !== null);
  });
  if (written.length > 0) return { kind: 'filed' };
  if (answered !== null && transaction.staged().get(childPath(answered, originalName)) === null)
    return { kind: 'dropped' };
  const lines = hasLooked ? await knownLines(run, summary, words) : [];
  return lines.length > 0 ? { kind: 'known', lines } : null;
}

const namedLines = /(vault\/(?:(?!vault\/)[^\n`"<>|])*?\.md)`?(?::|,? \(?lines? )(\d+)(?:\s*[-–]\s*(\d+))?/g;

/** The lines that a summary names and that exist; none when together they say something else than what came in. */
async function knownLines(run: WriteRun, summary: string, words: string): Promise<KnownLines[]> {
  const known: KnownLines[] = [];
  for (const [, path = '', first = '', last] of summary.matchAll(namedLines)) {
    const parsed = parseVaultPath(path);
    const text = parsed.ok ? await textAt(run, parsed.path) : null;
    if (text === null) continue;
    const [start, end] = [Number(first), Number(last ?? first)];
    const lines = splitLines(text);
    if (start >= 1 && start <= end && end <= lines.length)
      known.push({ path, start, end, text: lines.slice(start - 1, end).join('\n') });
  }
  return isFoundIn(words, known.map(({ text }) => text).join('\n')) ? known : [];
}

/** Whether a text need not be kept as it came. */
export type IsWritten = (text: string) => boolean;

/**
 * Whether a text is found in what this update has written. Where it is not, because it was summarised or translated, or
 * because the agent wrote something else, the text itself is kept. Lines that say it already are believed, but not about
 * an item, whose originals may lie nowhere else.
 */
export function writtenDown(
  account: Account,
  { run, incoming, answered }: { run: WriteRun; incoming: Incoming; answered: VaultPath | null },
): IsWritten {
  if (account?.kind === 'dropped' || (account?.kind === 'known' && answered === null)) return () => true;
  const written = [...run.transaction.staged().keys()].filter((path) => !incoming.files.has(path));
  const added = written.flatMap((path) => linesAdded(run, path));
  const known = account?.kind === 'known' ? account.lines.map(({ text }) => text) : [];
  const all = [...added, ...known].join('\n');
  return (text) => isFoundIn(text, all);
}
