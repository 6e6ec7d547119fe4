import type { Served } from '../../app/index.ts';
import { commit as commitRun } from '../../tools/index.ts';
import type { ToolCall } from '../../tools/index.ts';
import {
  endingOf,
  kindOf,
  nameOf,
  readImageHeader,
  revisionOf as fileRevision,
  showPath,
} from '../../vault/index.ts';
import type { FileRead, VaultPath } from '../../vault/index.ts';
import { resultOf } from './call-tool.ts';
import { noFile } from './paths.ts';
import { changedSince, checkPrecondition } from './preconditions.ts';
import type { Precondition } from './preconditions.ts';
import { Problem } from './problem.ts';
import { changeMade } from './show.ts';

export type Change = {
  path: VaultPath;
  wanted: Precondition;
  /** For history. */
  origin: string;
  /** The id of the token that it was asked for with; undefined for the person. */
  token: string | undefined;
  /** The person agreed to a change that removes much at once. */
  isConfirmed: boolean;
};

/** Gives a file this text, if it is what the caller knows it to be. */
export async function putFile(
  keepsake: Served,
  { path, wanted, ...why }: Change,
  content: string,
): Promise<{ revision: string | null; change: string | null; isNew: boolean }> {
  const before = await keepsake.readFile(path);
  if (before.kind === 'folder' || before.kind === 'refused') throw noFile(path, before);
  checkPrecondition(wanted, revisionOf(before));
  const change = await changeFile(keepsake, path, before, {
    ...why,
    tool: 'write',
    input: { path, content },
  });
  return { revision: revisionOf(await keepsake.readFile(path)), change, isNew: before.kind === 'missing' };
}

export function mustBeImage(path: VaultPath, bytes: Buffer): void {
  if (kindOf(nameOf(path)) !== 'image' || readImageHeader(bytes) === null)
    throw new Problem('wrong-type', { detail: 'it is no picture, or not called like one' });
}

/** A new picture in a bucket, byte for byte. */
export async function placeImage(
  keepsake: Served,
  { path, wanted, origin, token, isConfirmed }: Change,
  bytes: Buffer,
): Promise<{ revision: string | null; change: string | null; isNew: boolean }> {
  const before = await keepsake.readFile(path);
  if (before.kind === 'folder' || before.kind === 'refused') throw noFile(path, before);
  checkPrecondition(wanted, revisionOf(before));
  if (before.kind === 'file') throw changedSince(before.revision);
  const ending = endingOf(nameOf(path));
  if (!keepsake.layout().isInBucket(path)) throw new Problem('refused', { detail: 'it is in no bucket' });
  const run = keepsake.writeRun('person', token, new Map([[fileRevision(bytes), ending]]));
  const staged = run.transaction.place(path, bytes);
  if (!staged.ok) throw new Problem('refused', { detail: staged.reason });
  const change = changeMade(
    await commitRun(run, { origin, summary: `wrote ${showPath(path)}` }, isConfirmed),
  );
  return { revision: revisionOf(await keepsake.readFile(path)), change, isNew: true };
}

/** Or a folder, of which nobody can know a revision. */
export async function deleteFile(
  keepsake: Served,
  { path, wanted, ...why }: Change,
): Promise<{ change: string | null }> {
  const before = await keepsake.readFile(path);
  const call = { ...why, tool: 'delete', input: { path } };
  if (before.kind === 'folder' && wanted.kind === 'any') {
    const outcome = await keepsake.callTool({ ...call, reader: 'person' });
    resultOf(outcome);
    return { change: outcome.kind === 'result' && outcome.commit ? changeMade(outcome.commit) : null };
  }
  if (before.kind !== 'file') throw noFile(path, before);
  checkPrecondition(wanted, before.revision);
  return { change: await changeFile(keepsake, path, before, call) };
}

/** One call of a tool, based on exactly what was compared before. Gives the change that it made. */
async function changeFile(
  keepsake: Served,
  path: VaultPath,
  before: FileRead,
  call: Omit<ToolCall, 'reader'>,
): Promise<string | null> {
  const known = revisionOf(before);
  const outcome = await keepsake.callTool({ ...call, reader: 'person', ifRevision: known });
  const commit = outcome.kind === 'result' ? outcome.commit : undefined;
  if (commit === undefined || (commit.kind === 'failed' && commit.code === 'conflict')) {
    const now = revisionOf(await keepsake.readFile(path));
    if (now !== known) throw changedSince(now);
  }
  if (commit !== undefined) return changeMade(commit);
  resultOf(outcome);
  return null;
}

function revisionOf(read: FileRead): string | null {
  return read.kind === 'file' ? read.revision : null;
}
