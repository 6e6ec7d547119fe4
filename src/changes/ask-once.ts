import { createHash } from 'node:crypto';
import { childPath, inboxPath, nameOf, portableStem, reviewName, slugOf } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import { syncOrigin } from './journal.ts';
import type { Writer } from './writer.ts';

type Parts = {
  writer: Pick<Writer, 'write'>;
  /** The changes of a file, newest first. */
  changesOf: (path: VaultPath) => { origin: string; isUndone: boolean }[];
};

type Question = {
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
  const { note, about, at, text, summary } = question;
  const hash = createHash('sha256');
  for (const each of about) hash.update(each).update('\0');
  const day = new Date(at).toISOString().slice(0, 10);
  const item = `${day}-${slugOf(portableStem(nameOf(note))) || 'note'}-${hash.digest('hex').slice(0, 8)}`;
  const review = childPath(childPath(inboxPath, item), reviewName);
  if (changesOf(review).length > 0) return false;
  const create = { kind: 'create' as const, path: review, after: Buffer.from(text), mode: null };
  // Another machine may have asked already.
  return (await writer.write([create], { origin: syncOrigin, summary })).kind === 'written';
}
