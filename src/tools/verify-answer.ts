import {
  decodeText,
  imageLine,
  kindOf,
  parseBlocks,
  parseVaultPath,
  readImageHeader,
  splitLines,
} from '../vault/index.ts';
import type { ParsedBlock, VaultView } from '../vault/index.ts';

/** What has become of a block of an answer: its lines stand where they stood, elsewhere, or not any more. */
export type CheckedBlock = { path: string; start: number; end: number } & (
  | { state: 'same' }
  | { state: 'moved'; now: { start: number; end: number } }
  | { state: 'changed'; reason: string }
);

/** Compares every block of a document with the file it names, line by line. */
export async function verifyAnswer(document: string, view: VaultView): Promise<CheckedBlock[]> {
  const checked: CheckedBlock[] = [];
  for (const block of parseBlocks(document)) checked.push(await check(block, view));
  return checked;
}

async function check({ path, start, lines }: ParsedBlock, view: VaultView): Promise<CheckedBlock> {
  const place = { path, start, end: start + lines.length - 1 };
  const present = await linesNow(path, view);
  if (typeof present === 'string') return { ...place, state: 'changed', reason: present };
  const isAt = (first: number): boolean => lines.every((line, index) => present[first - 1 + index] === line);
  if (isAt(start)) return { ...place, state: 'same' };
  const found = present.flatMap((_, index) => (isAt(index + 1) ? [index + 1] : []));
  if (found.length === 1 && found[0] !== undefined)
    return { ...place, state: 'moved', now: { start: found[0], end: found[0] + lines.length - 1 } };
  const reason =
    found.length === 0 ? 'these lines are not in it any more' : 'these lines occur several times in it';
  return { ...place, state: 'changed', reason };
}

/** The lines of a file as they are shown, or why there are none. */
async function linesNow(shown: string, view: VaultView): Promise<string[] | string> {
  const parsed = parseVaultPath(shown);
  if (!parsed.ok) return parsed.reason;
  const read = await view.read(parsed.path);
  if (read.kind !== 'file') return read.kind === 'refused' ? read.reason : 'there is no such file';
  const image = kindOf(parsed.path) === 'image' ? readImageHeader(read.bytes) : null;
  if (image !== null) return [imageLine(parsed.path, image)];
  const decoded = decodeText(read.bytes);
  if (decoded.kind !== 'text') return `it is ${decoded.what}, not text`;
  return splitLines(decoded.text).map((line) => line.replaceAll('\r', '␍'));
}
