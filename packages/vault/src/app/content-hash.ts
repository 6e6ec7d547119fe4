import { createHash } from 'node:crypto';
import { setImmediate as nextTurn } from 'node:timers/promises';
import type { UpdateFile, UpdateInput } from '../contract/index.ts';
import { readMessageId } from '../intake/index.ts';

/**
 * A hash of what an update says: its text, its files as they were received, and whether they are the user's own words. Undefined for an
 * answer, whose meaning depends on its question. The time and the names of the files do not count.
 */
export async function computeContentHash({
  text,
  files,
  source,
  inboxRef,
}: UpdateInput): Promise<string | undefined> {
  if (inboxRef !== undefined) return undefined;
  const hashes: string[] = [];
  for (const file of files) hashes.push(await identifyFile(file));
  const content = [text.replaceAll('\r\n', '\n').trim(), source.kind, hashes.toSorted()];
  return createHash('sha256').update(JSON.stringify(content)).digest('hex');
}

const partBytes = 4_000_000;

/** Copies of a mail differ in the headers of their way, so a mail is identified by its Message-ID. */
async function identifyFile(file: UpdateFile): Promise<string> {
  const messageId = readMessageId(file);
  if (messageId !== null) return `mail ${messageId}`;
  const hash = createHash('sha256');
  for (let start = 0; start < file.bytes.length; start += partBytes) {
    hash.update(file.bytes.subarray(start, start + partBytes));
    await nextTurn();
  }
  return hash.digest('hex');
}
