import { openText } from '../search/index.ts';
import type { Extraction } from '../search/index.ts';
import { decodeText, formatBytes, maxTextBytes } from '../vault/index.ts';
import type { VaultPath, ViewFile } from '../vault/index.ts';
import type { Run } from './run.ts';

export type WholeText =
  | { kind: 'text'; text: string; extracted: Extraction | null }
  | { kind: 'failed'; reason: string };

/** Reads the whole text of a file; that of a document is extracted. */
export function readWholeText(
  { view, readDocument }: Pick<Run, 'view' | 'readDocument'>,
  path: VaultPath,
): Promise<WholeText> {
  return view.withEntry(path, async (viewed) => {
    if (viewed.kind === 'file') return decodeWhole(viewed, readDocument);
    return { kind: 'failed', reason: viewed.kind === 'refused' ? viewed.reason : 'file not found' };
  });
}

async function decodeWhole(viewed: ViewFile, readDocument: Run['readDocument']): Promise<WholeText> {
  const opened = await openText(viewed, readDocument);
  if (opened.kind !== 'text') return { kind: 'failed', reason: opened.reason };
  const { source, extracted } = opened.file;
  if (source.size > maxTextBytes)
    return { kind: 'failed', reason: `it is ${formatBytes(source.size)}, over 20 MB` };
  const decoded = decodeText(await source.read(0, source.size));
  return decoded.kind === 'text'
    ? { kind: 'text', text: decoded.text, extracted }
    : { kind: 'failed', reason: `it is ${decoded.description}, not text` };
}
