import type { ReplacedValue } from '../contract/index.ts';
import {
  createReplacedFinder,
  decodeText,
  imageLine,
  kindOf,
  parseBlocks,
  parseVaultPath,
  readImageHeader,
  showLine,
  splitLines,
} from '../vault/index.ts';
import type { FindReplaced, ParsedBlock, VaultView } from '../vault/index.ts';
import { findLines } from './find-lines.ts';
import { replacedValue } from './replaced-note.ts';

/** What has become of a block of an answer: its lines stand where they stood, elsewhere, or not any more. */
export type CheckedBlock = { path: string; start: number; end: number } & (
  | { state: 'same'; replaced?: ReplacedValue[] }
  | { state: 'moved'; now: { start: number; end: number }; replaced?: ReplacedValue[] }
  | { state: 'changed'; reason: string }
);

/** Compares every block of a document with the file it names, line by line. */
export async function verifyAnswer(document: string, view: VaultView): Promise<CheckedBlock[]> {
  const checked: CheckedBlock[] = [];
  const findReplaced = createReplacedFinder(view);
  for (const block of parseBlocks(document)) {
    const each = await check(block, view);
    checked.push({ ...each, ...(await replacedIn(each, findReplaced)) });
  }
  return checked;
}

/** Lines may stand, and a later entry say that what they say holds no longer. */
async function replacedIn(block: CheckedBlock, findReplaced: FindReplaced) {
  const parsed = parseVaultPath(block.path);
  if (!parsed.ok || block.state === 'changed') return {};
  return replacedValue(await findReplaced(parsed.path, block.state === 'moved' ? block.now : block));
}

async function check({ path, start, lines }: ParsedBlock, view: VaultView): Promise<CheckedBlock> {
  const place = { path, start, end: start + lines.length - 1 };
  const present = await linesNow(path, view);
  if (typeof present === 'string') return { ...place, state: 'changed', reason: present };
  const found = findLines(present, lines, start);
  switch (found.kind) {
    case 'same':
      return { ...place, state: 'same' };
    case 'moved':
      return {
        ...place,
        state: 'moved',
        now: { start: found.first, end: found.first + lines.length - 1 },
      };
    case 'several':
      return { ...place, state: 'changed', reason: 'these lines occur several times in it' };
    case 'gone':
      return { ...place, state: 'changed', reason: 'these lines are not in it any more' };
  }
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
  return splitLines(decoded.text).map((line, index) => showLine(line, index + 1));
}
