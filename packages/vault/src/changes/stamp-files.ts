import { fstatSync } from 'node:fs';
import type { Clock, LocalTime } from '../contract/index.ts';
import {
  closeAfter,
  openPath,
  findFrontmatter,
  getFrontmatterValue,
  matchesStats,
  maxFrontmatterCharacters,
  maxTextBytes,
  computeTextStats,
  computeTextStatsOf,
  createFileSource,
  maxInMemoryBytes,
  readPrefixSync,
} from '../vault/index.ts';
import type { Revision, VaultPath, VaultRoot } from '../vault/index.ts';
import { isBeingWritten } from './atomic-files.ts';
import { wasSynced } from './external-edits.ts';
import type { Stamper } from './stamps.ts';
import type { Writer } from './writer.ts';

/** A text file whose stamps may need an update: its bytes, and when they were written. */
export type StampableFile = {
  path: VaultPath;
  bytes: Buffer;
  size: number;
  mtime: number;
  revision: Revision;
  updated: LocalTime | null;
  /** Whether the frontmatter states the correct number of tokens. */
  hasCorrectTokens: boolean;
  wasSynced: boolean;
  /** False if no program has the file open for writing; null where that cannot be detected. */
  isBeingWritten: false | null;
};

/** A file that a program has open for writing; its content is read after that program has closed it. */
type UnfinishedFile = { size: number; mtime: number; isBeingWritten: true };

/** The result of updating stamps. */
export type StampFilesResult = {
  /** The current state of each file, including files that needed no change or could not be stamped. */
  files: { path: VaultPath; revision: Revision; updated: LocalTime | null; isWritten: boolean }[];
  /** Files that another program was writing at the same time. */
  busy: VaultPath[];
};

/** Null when there is no text file of a supported size at the path, or it changed while it was read. */
export async function inspectStampableFile(
  root: VaultRoot,
  path: VaultPath,
): Promise<StampableFile | UnfinishedFile | null> {
  const found = openPath(root, path);
  if (found.kind === 'missing' || found.kind === 'refused') return null;
  return closeAfter(found, async () => {
    if (found.kind === 'folder' || found.stats.size > maxTextBytes) return null;
    const { fd, stats } = found;
    const { size, mtimeMs: mtime, ctimeMs: ctime } = stats;
    const isWritten = isBeingWritten(fd, root, path);
    if (isWritten === true) return { size, mtime, isBeingWritten: isWritten };
    const bytes = readPrefixSync(fd, size);
    // A large file is measured in pieces, because it would block the event loop.
    const measure =
      size > maxInMemoryBytes
        ? await computeTextStatsOf(createFileSource(fd, size))
        : computeTextStats(bytes);
    // If the file changed while it was read, the time may not belong to these bytes.
    const isStill = matchesStats({ size, mtime, ctime, tokens: null, updated: null }, fstatSync(fd));
    if (measure === null || !isStill) return null;
    const { revision, updated, tokens } = measure;
    const hasCorrectTokens = readTokensField(bytes) === tokens;
    return {
      path,
      bytes,
      size,
      mtime,
      revision,
      updated,
      hasCorrectTokens,
      wasSynced: wasSynced(stats),
      isBeingWritten: isWritten,
    };
  });
}

/**
 * Updates the stamps of externally edited files, through the writer like any other change. The date is that of the
 * edit, not of this write: two machines that see the same edit write the same bytes.
 */
export async function stampFiles(
  files: readonly (StampableFile & { isNew: boolean })[],
  { writer, stamps, clock }: { writer: Pick<Writer, 'write'>; stamps: Stamper; clock: Clock },
): Promise<StampFilesResult> {
  const stamped = files.map((file) => {
    const after = stamps.applyToExternalEdit(file, file.mtime);
    // A file merged with a concurrent save gets the current time.
    const finalize = (bytes: Buffer): Buffer =>
      bytes.equals(after) ? bytes : stamps.applyToExternalEdit({ ...file, bytes }, clock());
    return { kind: 'replace' as const, path: file.path, before: file.bytes, after, mode: null, finalize };
  });
  const toWrite = stamped.filter(({ before, after }) => !before.equals(after));
  const summary = `update stamps of ${toWrite.length === 1 ? toWrite[0]?.path : `${toWrite.length} files`}`;
  const written = toWrite.length === 0 ? null : await writer.write(toWrite, { origin: 'upkeep', summary });
  if (written?.kind === 'conflict') {
    if (files.length === 1) return { files: [], busy: files.map(({ path }) => path) };
    // One of the files is being edited. Stamps each one separately, so that the others do not have to wait for it.
    const each: StampFilesResult[] = [];
    for (const file of files) each.push(await stampFiles([file], { writer, stamps, clock }));
    return {
      files: each.flatMap((result) => result.files),
      busy: each.flatMap(({ busy }) => busy),
    };
  }
  const changed = new Map<VaultPath, Buffer>(
    written?.kind === 'written'
      ? written.changes.flatMap((change) => (change.kind === 'replace' ? [[change.path, change.after]] : []))
      : [],
  );
  const results = stamped.flatMap(({ path, after }) => {
    const measure = computeTextStats(changed.get(path) ?? after);
    return measure === null
      ? []
      : [{ path, revision: measure.revision, updated: measure.updated, isWritten: changed.has(path) }];
  });
  return { files: results, busy: [] };
}

function readTokensField(bytes: Buffer): number | null {
  const opening = bytes.subarray(0, 4 * maxFrontmatterCharacters).toString('utf8');
  const found = findFrontmatter(opening);
  const stated =
    found === null ? null : getFrontmatterValue(opening.slice(found.yamlStart, found.yamlEnd), 'tokens');
  return stated !== null && /^\d+$/.test(stated) ? Number(stated) : null;
}
