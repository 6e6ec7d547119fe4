import type { VaultService } from '../../app/index.ts';
import { commit as commitRun } from '../../tools/index.ts';
import type { ToolCall } from '../../tools/index.ts';
import {
  extensionOf,
  fileKindOf,
  baseName,
  readImageHeader,
  computeRevision as fileRevision,
  formatPath,
} from '../../vault/index.ts';
import type { FileRead, VaultPath } from '../../vault/index.ts';
import { unwrapToolResult } from './tool-result.ts';
import { fileNotFound } from './paths.ts';
import { preconditionFailed, checkPrecondition } from './preconditions.ts';
import type { Precondition } from './preconditions.ts';
import { Problem } from './problem.ts';
import { unwrapChangeId } from './views.ts';

export type FileChangeRequest = Pick<ToolCall, 'connection' | 'assertAllowed'> & {
  path: VaultPath;
  precondition: Precondition;
  /** Recorded in history. */
  origin: string;
  /** Whether the user has confirmed a change that removes a lot at once. */
  isConfirmed: boolean;
};

/** Writes a file if the precondition holds. */
export async function putFile(
  keepsake: VaultService,
  { path, precondition, ...why }: FileChangeRequest,
  content: string,
): Promise<{ revision: string | null; change: string | null; isNew: boolean }> {
  const before = await keepsake.readFile(path);
  if (before.kind === 'folder' || before.kind === 'refused') throw fileNotFound(path, before);
  checkPrecondition(precondition, getRevision(before));
  const change = await changeFile(keepsake, path, before, {
    ...why,
    tool: 'write',
    input: { path, content, replace: true },
  });
  return { revision: getRevision(await keepsake.readFile(path)), change, isNew: before.kind === 'missing' };
}

export function assertImage(path: VaultPath, bytes: Buffer): void {
  if (fileKindOf(baseName(path)) !== 'image' || readImageHeader(bytes) === null)
    throw new Problem('wrong-type', { detail: 'not an image, or the file extension is wrong' });
}

/** Stores a new image in a bucket, byte for byte. */
export async function createImage(
  keepsake: VaultService,
  { path, precondition, origin, connection, assertAllowed, isConfirmed }: FileChangeRequest,
  bytes: Buffer,
): Promise<{ revision: string | null; change: string | null; isNew: boolean }> {
  const before = await keepsake.readFile(path);
  if (before.kind === 'folder' || before.kind === 'refused') throw fileNotFound(path, before);
  checkPrecondition(precondition, getRevision(before));
  if (before.kind === 'file') throw preconditionFailed(before.revision);
  const ending = extensionOf(baseName(path));
  if (!keepsake.layout().isInBucket(path))
    throw new Problem('refused', { detail: 'images may only be stored in a bucket' });
  const run = keepsake.writeRun('person', connection, new Map([[fileRevision(bytes), ending]]));
  const staged = run.transaction.create(path, bytes);
  if (!staged.ok) throw new Problem('refused', { detail: staged.reason });
  const change = unwrapChangeId(
    await commitRun(run, { origin, assertAllowed, summary: `wrote ${formatPath(path)}` }, isConfirmed),
  );
  return { revision: getRevision(await keepsake.readFile(path)), change, isNew: true };
}

/** Deletes a file, or a folder, which has no revision and needs the precondition `any`. */
export async function deleteFile(
  keepsake: VaultService,
  { path, precondition, ...why }: FileChangeRequest,
): Promise<{ change: string | null }> {
  const before = await keepsake.readFile(path);
  const call = { ...why, tool: 'delete', input: { path } };
  if (before.kind === 'folder' && precondition.kind === 'any') {
    const outcome = await keepsake.callTool({ ...call, reader: 'person' });
    unwrapToolResult(outcome);
    return { change: outcome.kind === 'result' && outcome.commit ? unwrapChangeId(outcome.commit) : null };
  }
  if (before.kind !== 'file') throw fileNotFound(path, before);
  checkPrecondition(precondition, before.revision);
  return { change: await changeFile(keepsake, path, before, call) };
}

/** Calls a tool on the revision that was just checked. Returns the id of the change. */
async function changeFile(
  keepsake: VaultService,
  path: VaultPath,
  before: FileRead,
  call: Omit<ToolCall, 'reader'>,
): Promise<string | null> {
  const known = getRevision(before);
  const outcome = await keepsake.callTool({ ...call, reader: 'person', ifRevision: known });
  const commit = outcome.kind === 'result' ? outcome.commit : undefined;
  if (commit === undefined || (commit.kind === 'failed' && commit.code === 'conflict')) {
    const now = getRevision(await keepsake.readFile(path));
    if (now !== known) throw preconditionFailed(now);
  }
  if (commit !== undefined) return unwrapChangeId(commit);
  unwrapToolResult(outcome);
  return null;
}

function getRevision(read: FileRead): string | null {
  return read.kind === 'file' ? read.revision : null;
}
