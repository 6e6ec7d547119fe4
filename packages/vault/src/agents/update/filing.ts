import type { Why } from '../../changes/index.ts';
import type { Clock, Reason, UpdateInput, UpdateResult } from '../../contract/index.ts';
import type { CommitOutcome, WriteRun } from '../../tools/index.ts';
import { nameOf } from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import type { KnownLines } from './account.ts';

/** `stopped` when a bound was reached or it cannot be done at all: trying again would not help. */
export type Filing = { kind: 'over'; result: UpdateResult } | { kind: 'stopped'; reason: Reason };

/** An update that is being filed. */
export type Job = {
  id: string;
  input: UpdateInput;
  /** The folder of the inbox item that it answers. */
  answered: VaultPath | null;
  /** All words that are to be filed: those that came in, and those of the item. */
  words: string;
  /** Whether all of that is the person's own. */
  isPersons: boolean;
  /** A run over a fresh transaction. */
  newRun: () => WriteRun;
  clock: Clock;
  language: Language;
};

type Made = {
  summary: string;
  paths: string[];
  asked: VaultPath | null;
  known: KnownLines[];
};

export function resultOf(committed: CommitOutcome, { summary, paths, asked, known }: Made): UpdateResult {
  switch (committed.kind) {
    case 'made':
      return committed.change === null
        ? { kind: 'unchanged', summary, known: known.map(showLines) }
        : { kind: 'filed', summary, paths, asked: asked === null ? null : nameOf(asked) };
    case 'held':
      return { kind: 'held', summary, paths, reason: committed.reason };
    case 'failed':
      throw new Error(committed.message);
  }
}

function showLines({ path, start, end }: KnownLines): string {
  return start === end ? `${path}:${start}` : `${path}:${start}-${end}`;
}

/** With what the files of an update are written down. */
export function whyOf({ id, input, isPersons }: Job, summary: string): Why {
  return { id, origin: `update agent, ${input.source.name}`, summary: titleOf(summary), isPersons };
}

/** One line for history. */
export function titleOf(summary: string): string {
  const [line = ''] = summary.split('\n');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
