import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { OwnerProcess, Update } from '../app/index.ts';
import type { api, Step, UpdateInput } from '../contract/index.ts';
import { requestOwner } from './request-owner.ts';
import type { Body } from './request-owner.ts';

// Used by short-lived commands while another process serves the vault, so this module imports little. All functions
// throw the same errors as `requestOwner`.

/** Submits an update and resolves when it would survive a power loss. `key` is the idempotency key. */
export async function acceptThere(
  owner: OwnerProcess,
  input: UpdateInput,
  { key, signal }: { key: string; signal: AbortSignal },
): Promise<{ id: string; warnings: string[] }> {
  const { text, files, source, inboxRef, again, keepSecrets, choice, asNote, project } = input;
  const fields = {
    text,
    sourceKind: source.kind,
    sourceName: source.name,
    key,
    ...(inboxRef && { inboxRef }),
    ...(again === true && { again: 'true' }),
    ...(keepSecrets === true && { keepSecrets: 'true' }),
    ...(choice !== undefined && { choice }),
    ...(asNote === true && { asNote: 'true' }),
    ...(project !== undefined && { project }),
  };
  const { id, warnings } = await requestOwner<z.infer<typeof api.updateAccepted>>(owner, '/updates', {
    body: formBody(fields, files),
    signal,
  });
  return { id, warnings };
}

/** Returns an update with its steps so far; waits up to `waitSeconds` for it to finish. */
export async function findUpdateThere(
  owner: OwnerProcess,
  id: string,
  { waitSeconds = 0, signal }: { waitSeconds?: number; signal?: AbortSignal } = {},
): Promise<{ update: Update; steps: Step[] }> {
  const path = `/updates/${encodeURIComponent(id)}?wait=${waitSeconds}`;
  const shown = await requestOwner<z.infer<typeof api.updateWithDiff>>(owner, path, { signal });
  const { steps, diffs: _, input, ...update } = shown;
  const { inboxRef, ...rest } = input;
  return { update: { ...update, input: { ...rest, ...(inboxRef !== null && { inboxRef }) } }, steps };
}

/** The model of the agents in the serving process, or the reason why there is none. */
export async function modelThere(owner: OwnerProcess): Promise<z.infer<typeof api.status>['models']> {
  return (await requestOwner<z.infer<typeof api.status>>(owner, '/status')).models;
}

/** The names of the inbox items that ask a question. */
export async function questionsThere(owner: OwnerProcess): Promise<string[]> {
  const { waiting } = await requestOwner<z.infer<typeof api.inbox>>(owner, '/inbox');
  return waiting.flatMap((each) => (each.kind === 'question' ? [each.item] : []));
}

/** Encodes a multipart form. In JSON, the base64 of the files would be a third larger. */
function formBody(fields: Record<string, string>, files: UpdateInput['files']): Body {
  const boundary = `keepsake-${randomUUID()}`;
  const part = (head: string, content: string | Uint8Array): Buffer[] => [
    Buffer.from(`--${boundary}\r\ncontent-disposition: form-data; ${head}\r\n\r\n`),
    Buffer.from(content),
    Buffer.from('\r\n'),
  ];
  const content = Buffer.concat([
    ...Object.entries(fields).flatMap(([name, value]) => part(`name="${name}"`, value)),
    ...files.flatMap(({ name, bytes }) =>
      part(`name="files"; filename="${inHeader(name)}"${anyType}`, bytes),
    ),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { type: `multipart/form-data; boundary=${boundary}`, content };
}

const anyType = '\r\ncontent-type: application/octet-stream';

/** Escapes the characters that would end the file name, as the HTML standard specifies. */
function inHeader(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
