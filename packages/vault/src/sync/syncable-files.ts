/**
 * The files that are synced between machines: files whose names work on every system, up to a size limit. `tree.md` is
 * excluded because each machine generates its own, and so are hidden files. The same rules apply in both directions.
 */
import { posix } from 'node:path';
import {
  identityFile,
  isTreeFile,
  maxTextBytes,
  parseVaultPath,
  portableProblem,
  formatBytes,
  formatInput,
  formatPath,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { GitTree } from './read-tree.ts';

/** A file that is not synced, and the reason. */
export type SkippedFile = { path: string; reason: string };

/** The files of one side: path to blob id. */
export type FileIds = ReadonlyMap<VaultPath, string>;

export type ParsedTree = {
  files: Map<VaultPath, string>;
  /** Entries of the commit that are not valid in a vault. */
  skipped: SkippedFile[];
};

/** The path of the identity file in git trees; with the list of removals the only hidden file that is synced. */
export const identityGitPath = identityFile.replaceAll('\\', '/');
/** The path of the list of removals in git trees. It is not in the folder of the vault. */
export const removalsGitPath = `${posix.dirname(identityGitPath)}/removals.json`;

/** Validates the names and kinds of the files in a commit, which is untrusted. */
export function parseTree(tree: GitTree): ParsedTree {
  const files = new Map<VaultPath, string>();
  const skipped: SkippedFile[] = [];
  for (const [name, { mode, id }] of tree) {
    if (isOwnFile(name)) continue;
    const parsed = parseName(name);
    if (typeof parsed !== 'string') skipped.push({ path: formatInput(name), reason: parsed.reason });
    else if (!mode.startsWith('100'))
      skipped.push({ path: formatPath(parsed), reason: 'not a regular file' });
    else if (!isTreeFile(parsed)) files.set(parsed, id);
  }
  return { files, skipped };
}

/** Whether a path in a git tree is a file of Keepsake, not of the vault. */
export function isOwnFile(name: string): boolean {
  return name === identityGitPath || name === removalsGitPath;
}

/** Why a file with this name cannot be synced; null if it can. */
export function syncNameProblem(path: VaultPath): string | null {
  const parsed = parseName(path.slice(path.indexOf('/') + 1));
  return typeof parsed === 'string' ? null : parsed.reason;
}

export function syncSizeProblem(size: number): string | null {
  return size > maxTextBytes
    ? `it is ${formatBytes(size)}, more than the maximum of ${formatBytes(maxTextBytes)}`
    : null;
}

/** Parses a path below the root of a git tree. */
export function parseName(name: string): VaultPath | { reason: string } {
  const whole = `vault/${name}`;
  const parsed = parseVaultPath(whole);
  if (!parsed.ok) return { reason: parsed.reason };
  // Not the canonical spelling: not in NFC, with an empty segment, or not in UTF-8.
  if (parsed.path !== whole || name.includes('\ufffd'))
    return { reason: 'the name is not in canonical form (NFC, UTF-8)' };
  const problem = portableProblem(parsed.path);
  return problem === null ? parsed.path : { reason: problem };
}
