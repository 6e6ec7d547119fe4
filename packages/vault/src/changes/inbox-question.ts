import { createHash } from 'node:crypto';
import {
  childPath,
  createLayoutReader,
  baseName,
  parentPath,
  hiddenItemName,
  portableStem,
  reviewName,
  slugify,
} from '../vault/index.ts';
import type { Layout, VaultPath, VaultRoot } from '../vault/index.ts';
import type { Change } from './change.ts';
import { syncOrigin } from './journal-entry.ts';
import { readCurrent } from './external-edits.ts';
import type { Writer } from './writer.ts';

type Dependencies = {
  root: VaultRoot;
  writer: Pick<Writer, 'write'>;
  /** The changes of a file, newest first. */
  changesOf: (path: VaultPath) => { origin: string; isUndone: boolean }[];
};

/** Names an inbox item. */
export type InboxItemKey = {
  /** The note that the question is about, and the values that identify the question, so that it is asked only once. */
  note: VaultPath;
  identity: readonly (string | Buffer)[];
  /** When the file that led to the question was written, in epoch milliseconds. */
  writtenAt: number;
  /** Whether the note is hidden from models. The item is then hidden, too, because it names the note and may quote it. */
  isHidden: boolean;
};

export type InboxQuestion = InboxItemKey & { text: string; summary: string };

/**
 * Writes a question to the inbox unless it was asked before. All machines derive the same file name, so two machines
 * ask only one question. Returns whether the question was written.
 */
export async function createInboxQuestion(
  { root, writer, changesOf }: Dependencies,
  question: InboxQuestion,
): Promise<boolean> {
  const review = reviewFilePath(root, question);
  if (changesOf(review).length > 0) return false;
  const create = { kind: 'create' as const, path: review, after: Buffer.from(question.text), mode: null };
  // Another machine may already have asked.
  return (await writer.write([create], { origin: syncOrigin, summary: question.summary })).kind === 'written';
}

/**
 * The changes that add a question to the inbox in the same transaction as the change it is about; empty when the question
 * exists.
 */
export function questionChanges(root: VaultRoot, question: Omit<InboxQuestion, 'summary'>): Change[] {
  const path = reviewFilePath(root, question);
  const present = readCurrent(root, path);
  if (present === 'skipped' || present.bytes !== null) return [];
  return [{ kind: 'create', path, after: Buffer.from(question.text), mode: null }];
}

/** The changes that remove a question that is no longer needed; empty when the user has edited it. */
export function changesToWithdraw(root: VaultRoot, question: InboxQuestion): Change[] {
  const path = reviewFilePath(root, question);
  const present = readCurrent(root, path);
  if (present === 'skipped' || present.bytes?.equals(Buffer.from(question.text)) !== true) return [];
  return [
    { kind: 'remove', path, before: present.bytes, mode: null },
    { kind: 'remove-folder', path: parentPath(path) },
  ];
}

function reviewFilePath(root: VaultRoot, question: InboxItemKey): VaultPath {
  return childPath(inboxItemPath(question, createLayoutReader(root)()), reviewName);
}

/**
 * The inbox item of a question. Its name contains a hash of the question: it is the same on all machines, and differs
 * between questions.
 */
export function inboxItemPath(
  { note, identity, writtenAt, isHidden }: InboxItemKey,
  { inboxPath }: Layout,
): VaultPath {
  const hash = createHash('sha256');
  for (const each of identity) hash.update(each).update('\0');
  const day = new Date(writtenAt).toISOString().slice(0, 10);
  const subject = isHidden ? hiddenItemName : slugify(portableStem(baseName(note))) || 'note';
  return childPath(inboxPath, `${day}-${subject}-${hash.digest('hex').slice(0, 8)}`);
}
