import type { SentUpdate, UpdateFile } from '../contract/index.ts';

type SentFile = SentUpdate['files'][number];

/** Files that came as JSON, with their bytes. To be called where they arrive, and only there. */
export function filesFrom(sent: readonly SentFile[]): UpdateFile[] {
  return sent.map(({ name, data }) => ({ name, bytes: Buffer.from(data, 'base64') }));
}

/** Files as JSON carries them, on their way out. */
export function sentFiles(files: readonly UpdateFile[]): SentFile[] {
  return files.map(({ name, bytes }) => ({ name, data: Buffer.from(bytes).toString('base64') }));
}
