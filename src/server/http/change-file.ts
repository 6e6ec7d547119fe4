import type { Keepsake } from '../../app/index.ts';
import { toolNamed } from '../../tools/index.ts';
import type { FileRead, VaultPath } from '../../vault/index.ts';
import { resultOf } from './call-tool.ts';
import { noFile } from './paths.ts';
import { changedSince, checkPrecondition } from './preconditions.ts';
import type { Precondition } from './preconditions.ts';
import { changeMade } from './show.ts';

type Run = ReturnType<Keepsake['newRun']>;

export type Change = {
  path: VaultPath;
  wanted: Precondition;
  /** For history. */
  origin: string;
  /** The person agreed to a change that removes much at once. */
  isConfirmed: boolean;
};

/** Gives a file this text, if it is what the caller knows it to be. */
export async function putFile(
  keepsake: Keepsake,
  { path, wanted, origin, isConfirmed }: Change,
  content: string,
): Promise<{ revision: string | null; change: string | null; isNew: boolean }> {
  const before = await keepsake.readFile(path);
  if (before.kind === 'folder' || before.kind === 'refused') throw noFile(path, before);
  checkPrecondition(wanted, revisionOf(before));
  const run = keepsake.newRun('person');
  if (before.kind === 'file') run.filesRead.set(path, before.revision);
  await stage(keepsake, run, 'write', { path, content }, { path, before });
  const change = changeMade(await run.transaction.commit({ origin, summary: `wrote ${path}` }, isConfirmed));
  return { revision: revisionOf(await keepsake.readFile(path)), change, isNew: before.kind === 'missing' };
}

export async function deleteFile(
  keepsake: Keepsake,
  { path, wanted, origin, isConfirmed }: Change,
): Promise<{ change: string | null }> {
  const before = await keepsake.readFile(path);
  if (before.kind !== 'file') throw noFile(path, before);
  checkPrecondition(wanted, before.revision);
  const run = keepsake.newRun('person');
  await stage(keepsake, run, 'delete', { path }, { path, before });
  return {
    change: changeMade(await run.transaction.commit({ origin, summary: `deleted ${path}` }, isConfirmed)),
  };
}

/** Stages one call of a tool; what it does is based on exactly what was compared before. */
async function stage(
  keepsake: Keepsake,
  run: Run,
  name: string,
  input: unknown,
  { path, before }: { path: VaultPath; before: FileRead },
): Promise<void> {
  const outcome = await toolNamed(name).call(input, run);
  const based = run.transaction.before(path);
  const bytes = before.kind === 'file' ? before.bytes : null;
  const now = revisionOf(await keepsake.readFile(path));
  if (now !== revisionOf(before) || (based !== undefined && !isEqual(based, bytes))) throw changedSince(now);
  resultOf(outcome);
}

function revisionOf(read: FileRead): string | null {
  return read.kind === 'file' ? read.revision : null;
}

function isEqual(one: Buffer | null, other: Buffer | null): boolean {
  return one === null || other === null ? one === other : one.equals(other);
}
