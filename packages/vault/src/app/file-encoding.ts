import type { UpdatePayload, UpdateFile } from '../contract/index.ts';

type EncodedFile = UpdatePayload['files'][number];

/** Decodes files that were sent as JSON. Call it only where the request is parsed. */
export function decodeFiles(sent: readonly EncodedFile[]): UpdateFile[] {
  return sent.map(({ name, data }) => ({ name, bytes: Buffer.from(data, 'base64') }));
}
