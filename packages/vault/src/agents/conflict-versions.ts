import { keepBothValues, readConflictRecord } from '../changes/index.ts';
import type { Changes } from '../changes/index.ts';
import {
  decodeText,
  extractBody,
  parseConflictMarkers,
  parseVaultPath,
  resolveConflictMarkers,
  splitKeepingEnds,
  splitLines,
} from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';

/** The two versions that an inbox question is about, as they are now. */
export type ConflictVersions = {
  note: VaultPath;
  /** The file with the other version; null if the note contains both. */
  other: VaultPath | null;
  /** The whole files, before the choice. */
  bytes: { note: Buffer; other: Buffer | null };
  /** What the versions say, for display. Mine is the one that this machine had before. */
  mine: string;
  theirs: string;
  /** The content of the note after the choice of one version. */
  choose: (choice: 'mine' | 'theirs') => Buffer;
  /** The content of the note with both versions; null if it needs no change. */
  both: Buffer | null;
};

type FileVersions = Changes['fileVersions'];

/** Null if the question is not about a conflict, or if its files have changed so that no choice is possible. */
export async function readConflictVersions(
  review: string,
  view: VaultView,
  fileVersions: FileVersions,
): Promise<ConflictVersions | null> {
  const record = readConflictRecord(review);
  const note = record === null ? null : await readShown(view, record.note);
  if (record === null || note === null) return null;
  switch (record.kind) {
    case 'versions': {
      const other = await readShown(view, record.other);
      if (other === null) return null;
      const [inPlace, beside] = [note.bytes, other.bytes].map((bytes) => textOf(bytes) ?? '') as [
        string,
        string,
      ];
      const isSwapped = await wasBefore(note.path, beside, inPlace, fileVersions, sameBody);
      const [mine, theirs] = isSwapped ? [other.bytes, note.bytes] : [note.bytes, other.bytes];
      return {
        note: note.path,
        other: other.path,
        bytes: { note: note.bytes, other: other.bytes },
        mine: isSwapped ? beside : inPlace,
        theirs: isSwapped ? inPlace : beside,
        choose: (choice) => (choice === 'mine' ? mine : theirs),
        both: null,
      };
    }
    case 'lines':
      return readDisputedLines(note, record.regions, fileVersions);
    case 'markers': {
      const text = textOf(note.bytes) ?? '';
      const conflicts = parseConflictMarkers(text);
      if (conflicts.length === 0) return null;
      const say = (side: 'ours' | 'theirs'): string => joinRegions(conflicts.map((each) => each[side]));
      const resolve = (keep: Parameters<typeof resolveConflictMarkers>[1]): Buffer =>
        Buffer.from(resolveConflictMarkers(text, keep));
      return {
        note: note.path,
        other: null,
        bytes: { note: note.bytes, other: null },
        mine: say('ours'),
        theirs: say('theirs'),
        choose: (choice) => resolve(choice === 'mine' ? 'ours' : 'theirs'),
        both: resolve('both'),
      };
    }
  }
}

type Region = { kept: string[]; a: string[]; b: string[] };
type PlacedRegion = Region & { at: number };
type NoteFile = { path: VaultPath; bytes: Buffer };

async function readDisputedLines(
  { path, bytes }: NoteFile,
  regions: readonly Region[],
  fileVersions: FileVersions,
): Promise<ConflictVersions | null> {
  const text = textOf(bytes) ?? '';
  const lines = splitLines(text);
  const places = regions.map(({ kept }) => findOnce(lines, kept));
  if (places.includes(null)) return null;
  const side = (name: 'a' | 'b'): string => joinRegions(regions.map((each) => each[name]));
  const isSwapped = await wasBefore(path, side('b'), side('a'), fileVersions, containsRegions);
  const replace = (choose: (region: PlacedRegion) => string[]): Buffer => {
    const edits = regions
      .map((region, index) => ({ at: places[index] ?? 0, ...region }))
      .toSorted((one, other) => other.at - one.at);
    const result = splitKeepingEnds(text);
    for (const region of edits) {
      const { at, kept } = region;
      const end = result[at]?.endsWith('\r\n') === true ? '\r\n' : '\n';
      result.splice(at, kept.length, ...choose(region).map((line) => line + end));
    }
    return Buffer.from(result.join(''));
  };
  const bodyLine = splitLines(text.slice(0, text.length - extractBody(text).length)).length;
  /** The body already contains the lines of both sides, but a field has one value. */
  const keepBoth = ({ at, kept, a, b }: PlacedRegion): string[] => {
    const other = kept.join('\n') === a.join('\n') ? b : a;
    return at < bodyLine ? keepBothValues(lines.slice(0, bodyLine), { at, kept, other }) : kept;
  };
  const [mine, theirs] = isSwapped ? (['b', 'a'] as const) : (['a', 'b'] as const);
  return {
    note: path,
    other: null,
    bytes: { note: bytes, other: null },
    mine: side(mine),
    theirs: side(theirs),
    choose: (choice) => replace((region) => region[choice === 'mine' ? mine : theirs]),
    both: replace(keepBoth),
  };
}

/**
 * Whether this machine had the second version before, and not the first. The versions themselves do not say where they
 * come from, because all machines merge them to the same bytes.
 */
async function wasBefore(
  note: VaultPath,
  second: string,
  first: string,
  fileVersions: FileVersions,
  matches: (version: string, side: string) => boolean,
): Promise<boolean> {
  for (const { text } of await fileVersions(note)) {
    const [hasFirst, hasSecond] = [matches(text, first), matches(text, second)];
    if (hasFirst !== hasSecond) {
      // The newest version is the merged one, or the version that another machine has sent.
      const isCurrent = hasFirst && matches === sameBody;
      if (!isCurrent) return hasSecond;
    }
  }
  return false;
}

function sameBody(version: string, side: string): boolean {
  return extractBody(version).trim() === extractBody(side).trim();
}

const regionMark = '\n…\n';

function joinRegions(regions: readonly string[][]): string {
  return regions.map((lines) => lines.join('\n')).join(regionMark);
}

function containsRegions(version: string, side: string): boolean {
  return side.split(regionMark).every((region) => version.replaceAll('\r\n', '\n').includes(region));
}

/** The index at which these lines occur; null unless they occur exactly once. */
function findOnce(lines: readonly string[], wanted: readonly string[]): number | null {
  if (wanted.length === 0) return null;
  const found = lines.flatMap((_, at) =>
    wanted.every((line, index) => lines[at + index] === line) ? [at] : [],
  );
  return found.length === 1 ? (found[0] ?? null) : null;
}

async function readShown(view: VaultView, shown: string): Promise<NoteFile | null> {
  const parsed = parseVaultPath(shown);
  const read = parsed.ok ? await view.read(parsed.path, Infinity) : null;
  return parsed.ok && read?.kind === 'file' ? { path: parsed.path, bytes: read.bytes } : null;
}

function textOf(bytes: Buffer): string | null {
  const decoded = decodeText(bytes);
  return decoded.kind === 'text' ? decoded.text : null;
}
