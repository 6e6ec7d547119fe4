import { fstatSync } from 'node:fs';
import type { Clock, LocalTime } from '../contract/index.ts';
import {
  closing,
  enter,
  findFrontmatter,
  frontmatterValue,
  isCurrent,
  largestFrontmatter,
  largestText,
  measureBytes,
  readStart,
} from '../vault/index.ts';
import type { Revision, VaultPath, VaultRoot } from '../vault/index.ts';
import { isBeingWritten } from './file-primitives.ts';
import { wasBrought } from './outside-edits.ts';
import type { Stamps } from './stamps.ts';
import type { Writer } from './writer.ts';

/** A text whose stamps may need setting: its bytes, and when they were written. */
export type StampableFile = {
  path: VaultPath;
  bytes: Buffer;
  size: number;
  mtime: number;
  revision: Revision;
  updated: LocalTime | null;
  /** Whether the frontmatter says how many tokens there are, and is right about it. */
  hasRightTokens: boolean;
  isBrought: boolean;
  /** Nobody has it open for writing; null where that cannot be told. */
  isBeingWritten: false | null;
};

/** A file that somebody has open for writing: what it says is read once that is over. */
type UnfinishedFile = { size: number; mtime: number; isBeingWritten: true };

/** What became of files whose stamps were to be set. */
export type Stamping = {
  /** What each file is now; also of those that needed no change or allow none. */
  settled: { path: VaultPath; revision: Revision; updated: LocalTime | null; isWritten: boolean }[];
  /** Somebody was writing to these at the same moment. */
  disturbed: VaultPath[];
};

/** Null when there is no text of bearable size at the path, or it changed while it was read. */
export async function lookAtStamps(
  root: VaultRoot,
  path: VaultPath,
): Promise<StampableFile | UnfinishedFile | null> {
  const found = enter(root, path);
  if (found.kind === 'missing' || found.kind === 'refused') return null;
  return closing(found, async () => {
    if (found.kind === 'folder' || found.stats.size > largestText) return null;
    const { fd, stats } = found;
    const { size, mtimeMs: mtime, ctimeMs: ctime } = stats;
    const isWritten = isBeingWritten(fd, root, path);
    if (isWritten === true) return { size, mtime, isBeingWritten: isWritten };
    const bytes = readStart(fd, size);
    const measure = measureBytes(bytes);
    // The time must be that of these bytes and no others.
    const isStill = isCurrent({ size, mtime, ctime, tokens: null, updated: null }, fstatSync(fd));
    if (measure === null || !isStill) return null;
    const { revision, updated, tokens } = measure;
    const hasRightTokens = statedTokens(bytes) === tokens;
    return {
      path,
      bytes,
      size,
      mtime,
      revision,
      updated,
      hasRightTokens,
      isBrought: wasBrought(stats),
      isBeingWritten: isWritten,
    };
  });
}

/**
 * Sets the stamps of files that were changed outside, through the same door as any other write. The date is that of
 * the change, not of this write: two machines that see the same change write the same bytes.
 */
export async function stampFiles(
  files: readonly (StampableFile & { isNew: boolean })[],
  { writer, stamps, clock }: { writer: Pick<Writer, 'write'>; stamps: Stamps; clock: Clock },
): Promise<Stamping> {
  const wanted = files.map((file) => {
    const after = stamps.setOutside(file, file.mtime);
    // What was merged with a save of this very moment is as new as that.
    const finish = (bytes: Buffer): Buffer =>
      bytes.equals(after) ? bytes : stamps.setOutside({ ...file, bytes }, clock());
    return { kind: 'replace' as const, path: file.path, before: file.bytes, after, mode: null, finish };
  });
  const toWrite = wanted.filter(({ before, after }) => !before.equals(after));
  const summary = `stamps of ${toWrite.length === 1 ? toWrite[0]?.path : `${toWrite.length} files`}`;
  const written = toWrite.length === 0 ? null : await writer.write(toWrite, { origin: 'upkeep', summary });
  if (written?.kind === 'conflict') {
    if (files.length === 1) return { settled: [], disturbed: files.map(({ path }) => path) };
    // One of them is being edited; the others need not wait for it.
    const each: Stamping[] = [];
    for (const file of files) each.push(await stampFiles([file], { writer, stamps, clock }));
    return {
      settled: each.flatMap(({ settled }) => settled),
      disturbed: each.flatMap(({ disturbed }) => disturbed),
    };
  }
  const changed = new Map<VaultPath, Buffer>(
    written?.kind === 'written'
      ? written.changes.flatMap((change) => (change.kind === 'replace' ? [[change.path, change.after]] : []))
      : [],
  );
  const settled = wanted.flatMap(({ path, after }) => {
    const measure = measureBytes(changed.get(path) ?? after);
    return measure === null
      ? []
      : [{ path, revision: measure.revision, updated: measure.updated, isWritten: changed.has(path) }];
  });
  return { settled, disturbed: [] };
}

function statedTokens(bytes: Buffer): number | null {
  const opening = bytes.subarray(0, 4 * largestFrontmatter).toString('utf8');
  const found = findFrontmatter(opening);
  const stated =
    found === null ? null : frontmatterValue(opening.slice(found.yamlStart, found.yamlEnd), 'tokens');
  return stated !== null && /^\d+$/.test(stated) ? Number(stated) : null;
}
