/*
 * What travels between machines: the files of a vault whose names work on every system, up to a size. Not `tree.md`, which each machine makes
 * from its files, and nothing that is hidden. The same rule holds for what goes and for what comes.
 */
import {
  identityFile,
  isTree,
  largestText,
  parseVaultPath,
  portableProblem,
  showBytes,
  showInput,
  showPath,
} from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Tree } from './sync-objects.ts';

/** A file that stays where it is, and why. */
export type LeftOut = { path: string; reason: string };

/** Which files a side has, by the ids of their contents. */
export type Side = ReadonlyMap<VaultPath, string>;

export type Received = {
  files: Map<VaultPath, string>;
  /** What the commit has and a vault cannot have. */
  leftOut: LeftOut[];
};

/** Below the root, as git has it: the one hidden file that travels. */
export const identityName = identityFile.replaceAll('\\', '/');

/** Names and kinds of files in a commit, which anybody may have made. */
export function filesOf(tree: Tree): Received {
  const files = new Map<VaultPath, string>();
  const leftOut: LeftOut[] = [];
  for (const [name, { mode, id }] of tree) {
    if (name === identityName) continue;
    const parsed = parseName(name);
    if (typeof parsed !== 'string') leftOut.push({ path: showInput(name), reason: parsed.reason });
    else if (!mode.startsWith('100')) leftOut.push({ path: showPath(parsed), reason: 'it is no file' });
    else if (!isTree(parsed)) files.set(parsed, id);
  }
  return { files, leftOut };
}

/** Why a file of this name stays on its machine; null when it travels. */
export function nameProblem(path: VaultPath): string | null {
  const parsed = parseName(path.slice(path.indexOf('/') + 1));
  return typeof parsed === 'string' ? null : parsed.reason;
}

export function sizeProblem(size: number): string | null {
  return size > largestText ? `it is ${showBytes(size)}, over ${showBytes(largestText)}` : null;
}

function parseName(name: string): VaultPath | { reason: string } {
  const whole = `vault/${name}`;
  const parsed = parseVaultPath(whole);
  if (!parsed.ok) return { reason: parsed.reason };
  // Written otherwise than a vault has it: not in NFC, with an empty part, not in UTF-8.
  if (parsed.path !== whole || name.includes('\ufffd'))
    return { reason: 'its name is not written as in a vault' };
  const problem = portableProblem(parsed.path);
  return problem === null ? parsed.path : { reason: problem };
}
