import type { ReplacedValue } from '../contract/index.ts';
import {
  createReplacementFinder,
  formatImageLine,
  fileKindOf,
  parseBlocks,
  parseVaultPath,
  readImageHeader,
  showLine,
  splitLines,
} from '../vault/index.ts';
import type { FindReplaced, ParsedBlock, VaultPath } from '../vault/index.ts';
import { locateLines } from './locate-lines.ts';
import { toReplacedValue } from './format-replaced.ts';
import { readWholeText } from './read-whole-text.ts';
import type { Run } from './run.ts';

/** The state of a quoted block: its lines are unchanged, have moved, or are no longer in the file. */
export type BlockStatus = { path: string; start: number; end: number } & (
  | { state: 'same'; replaced?: ReplacedValue[] }
  | { state: 'moved'; now: { start: number; end: number }; replaced?: ReplacedValue[] }
  | { state: 'changed'; reason: string }
);

/** Compares every block of a document with the file it names, line by line. */
export async function verifyBlocks(
  document: string,
  run: Pick<Run, 'view' | 'today' | 'readDocument'>,
): Promise<BlockStatus[]> {
  const checked: BlockStatus[] = [];
  const findReplaced = createReplacementFinder(run.view, run.today());
  for (const block of parseBlocks(document)) {
    const each = await verifyBlock(block, run);
    checked.push({ ...each, ...(await findReplacedIn(each, findReplaced)) });
  }
  return checked;
}

/** Finds replaced changelog entries in a block: even unchanged lines may have been replaced by a later entry. */
async function findReplacedIn(block: BlockStatus, findReplaced: FindReplaced) {
  const parsed = parseVaultPath(block.path);
  if (!parsed.ok || block.state === 'changed') return {};
  return toReplacedValue(await findReplaced(parsed.path, block.state === 'moved' ? block.now : block));
}

type Reading = Pick<Run, 'view' | 'readDocument'>;

async function verifyBlock({ path, start, lines }: ParsedBlock, run: Reading): Promise<BlockStatus> {
  const place = { path, start, end: start + lines.length - 1 };
  const currentLines = await readCurrentLines(path, run);
  if (typeof currentLines === 'string') return { ...place, state: 'changed', reason: currentLines };
  const found = locateLines(currentLines, lines, start);
  switch (found.kind) {
    case 'same':
      return { ...place, state: 'same' };
    case 'moved':
      return {
        ...place,
        state: 'moved',
        now: { start: found.first, end: found.first + lines.length - 1 },
      };
    case 'ambiguous':
      return { ...place, state: 'changed', reason: 'these lines occur several times in the file' };
    case 'missing':
      return { ...place, state: 'changed', reason: 'these lines are no longer in the file' };
  }
}

/** Reads the lines of a file as they are shown; a string is the reason for a failure. */
async function readCurrentLines(shown: string, run: Reading): Promise<string[] | string> {
  const parsed = parseVaultPath(shown);
  if (!parsed.ok) return parsed.reason;
  const image = fileKindOf(parsed.path) === 'image' ? await readImageLine(parsed.path, run) : null;
  if (image !== null) return [image];
  const read = await readWholeText(run, parsed.path);
  if (read.kind === 'failed') return read.reason;
  return splitLines(read.text).map((line, index) => showLine(line, index + 1));
}

async function readImageLine(path: VaultPath, { view }: Reading): Promise<string | null> {
  const read = await view.read(path);
  const header = read.kind === 'file' ? readImageHeader(read.bytes) : null;
  return header && formatImageLine(path, header);
}
