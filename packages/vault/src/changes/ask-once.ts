import { createHash } from 'node:crypto';
import {
  childPath,
  inboxPath,
  nameOf,
  parentPath,
  portableStem,
  reviewName,
  slugOf,
} from '../vault/index.ts';
import type { VaultPath, VaultRoot } from '../vault/index.ts';
import type { Change } from './change.ts';
import { syncOrigin } from './journal-entry.ts';
import { readPresent } from './outside-edits.ts';
import type { Writer } from './writer.ts';

type Parts = {
  writer: Pick<Writer, 'write'>;
  /** The changes of a file, newest first. */
  changesOf: (path: VaultPath) => { origin: string; isUndone: boolean }[];
};

export type Question = {
  /** What it is about, and what of it: the same is not asked again. */
  note: VaultPath;
  about: readonly (string | Buffer)[];
  /** When that was written, in milliseconds. */
  at: number;
  text: string;
  summary: string;
};

/**
 * Puts a question into the inbox, unless it was there before. Every machine gives it the same name, so that two of them ask one
 * question. False when it is not asked.
 */
export async function askOnce({ writer, changesOf }: Parts, question: Question): Promise<boolean> {
  const review = reviewOf(question);
  if (changesOf(review).length > 0) return false;
  const create = { kind: 'create' as const, path: review, after: Buffer.from(question.text), mode: null };
  // Another machine may have asked already.
  return (await writer.write([create], { origin: syncOrigin, summary: question.summary })).kind === 'written';
}

/** What puts a question into the inbox in the same transaction as what it is about; nothing when it is there. */
export function questionChanges(
  root: VaultRoot,
  question: Pick<Question, 'note' | 'about' | 'at' | 'text'>,
): Change[] {
  const path = reviewOf(question);
  const present = readPresent(root, path);
  if (present === 'passed over' || present.bytes !== null) return [];
  return [{ kind: 'create', path, after: Buffer.from(question.text), mode: null }];
}

/** Takes a question back that nobody has answered, together with what makes it needless. */
export function withdrawal(root: VaultRoot, question: Question): Change[] {
  const path = reviewOf(question);
  const present = readPresent(root, path);
  if (present === 'passed over' || present.bytes?.equals(Buffer.from(question.text)) !== true) return [];
  return [
    { kind: 'remove', path, before: present.bytes, mode: null },
    { kind: 'remove-folder', path: parentPath(path) },
  ];
}

function reviewOf(question: Pick<Question, 'note' | 'about' | 'at'>): VaultPath {
  return childPath(itemAbout(question), reviewName);
}

/** The inbox item of a question. No two machines choose the same name for different ones. */
export function itemAbout({ note, about, at }: Pick<Question, 'note' | 'about' | 'at'>): VaultPath {
  const hash = createHash('sha256');
  for (const each of about) hash.update(each).update('\0');
  const day = new Date(at).toISOString().slice(0, 10);
  const name = `${day}-${slugOf(portableStem(nameOf(note))) || 'note'}-${hash.digest('hex').slice(0, 8)}`;
  return childPath(inboxPath, name);
}
