import type { SentUpdate, UpdateFile } from '../contract/index.ts';

type SentFile = SentUpdate['files'][number];

/** Files that came as JSON, with their bytes. To be called where they arrive, and only there. */
export function filesFrom(sent: readonly SentFile[]): UpdateFile[] {
  return sent.map(({ name, data }) => ({ name, bytes: Buffer.from(data, 'base64') }));
}
