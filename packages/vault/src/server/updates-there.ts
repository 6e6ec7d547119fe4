import { randomUUID } from 'node:crypto';
import type { z } from 'zod';
import type { Owner, Update } from '../app/index.ts';
import type { api, Step, UpdateInput } from '../contract/index.ts';
import { requestOwner } from './request-owner.ts';
import type { Body } from './request-owner.ts';

// For commands beside the process that serves the vault, so little is loaded. All of them throw as `requestOwner` does.

/** Hands an update over, and resolves once it would survive a power loss. The same key again gives the same update. */
export async function acceptThere(
  owner: Owner,
  input: UpdateInput,
  { key, signal }: { key: string; signal: AbortSignal },
): Promise<{ id: string; warnings: string[] }> {
  const { text, files, source, inboxRef } = input;
  const fields = {
    text,
    sourceKind: source.kind,
    sourceName: source.name,
    key,
    ...(inboxRef && { inboxRef }),
  };
  const { id, warnings } = await requestOwner<z.infer<typeof api.accepted>>(owner, '/updates', {
    body: formBody(fields, files),
    signal,
  });
  return { id, warnings };
}

/** An update and what was done for it so far; waits up to `waitSeconds` until it is over. */
export async function findUpdateThere(
  owner: Owner,
  id: string,
  { waitSeconds = 0, signal }: { waitSeconds?: number; signal?: AbortSignal } = {},
): Promise<{ update: Update; steps: Step[] }> {
  const path = `/updates/${encodeURIComponent(id)}?wait=${waitSeconds}`;
  const shown = await requestOwner<z.infer<typeof api.updateWithDiff>>(owner, path, { signal });
  const { steps, diffs: _, input, ...update } = shown;
  const { inboxRef, ...rest } = input;
  return { update: { ...update, input: { ...rest, ...(inboxRef !== null && { inboxRef }) } }, steps };
}

/** The model that files updates there, or why there is none. */
export async function modelThere(owner: Owner): Promise<z.infer<typeof api.status>['models']> {
  return (await requestOwner<z.infer<typeof api.status>>(owner, '/status')).models;
}

/** The names of the inbox items that ask a question. */
export async function questionsThere(owner: Owner): Promise<string[]> {
  const { waiting } = await requestOwner<z.infer<typeof api.inbox>>(owner, '/inbox');
  return waiting.flatMap((each) => (each.kind === 'question' ? [each.item] : []));
}

/** A form as browsers send it, with files as they are: in JSON their bytes would be a third larger. */
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

/** Escapes what would end the name, as the HTML standard does. */
function inHeader(name: string): string {
  return name.replaceAll('\n', '%0A').replaceAll('\r', '%0D').replaceAll('"', '%22');
}
