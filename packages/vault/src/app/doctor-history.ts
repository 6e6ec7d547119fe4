import { join } from 'node:path';
import { localTime } from '../contract/index.ts';
import {
  changelogEntries,
  childPath,
  filesBelow,
  largestText,
  readIdentity,
  showTime,
  treePath,
} from '../vault/index.ts';
import { ok } from './check.ts';
import type { Check } from './check.ts';
import type { Keepsake } from './keepsake.ts';

const name = 'history';

/** Whether what changed can be shown and taken back. */
export async function checkHistory(keepsake: Keepsake): Promise<Check> {
  const { state, changes } = keepsake;
  if (!state.hasDurable()) return checkWithoutState(keepsake);
  const { isThere, damage, problems, lost, aside, recorded } = await changes.lookAtHistory();
  const folder = join(state.folder(), 'history.git');
  const fromBackup = `copy state/history.git of a backup to ${folder}`;
  if (!isThere && recorded > 0)
    return warning(
      `${folder} is gone; what it knew of ${recorded} changes can no longer be shown or undone`,
      `${fromBackup}, or go on: the next change begins a new one`,
    );
  if (damage !== null)
    return warning(
      `${folder} is damaged (${damage})`,
      `${fromBackup}, or go on: the next change sets it aside and begins a new one`,
    );
  if (problems.length > 0)
    return warning(
      `${folder} lacks a part, so some changes cannot be shown or undone (${problems.slice(0, mostNamed).join('; ')})`,
      `copy what is missing from the same folder of a backup: cp -rn <backup>/state/history.git/objects '${folder}'`,
    );
  const losses = `${lost} of ${recorded} changes can no longer be shown or undone`;
  if (aside.length > 0)
    return warning(
      `it was damaged and set aside as ${aside.join(', ')}; ${losses}`,
      lost === recorded ? 'delete that folder' : 'delete that folder when you need no change from before',
    );
  if (lost > 0) return warning(losses, `${fromBackup}, or go on without them`);
  const loss = changes.loss();
  if (loss !== null)
    return warning(
      `${loss.files} files were gone at once, not by Keepsake (${showTime(localTime(loss.at))})`,
      `if that was not meant, bring them back with: keepsake undo ${loss.id.slice(0, 8)}`,
    );
  return ok(name, `changes: ${changes.count()}${await describeBaseline(keepsake, isThere)}`);
}

/** How much of the vault can come back that was never changed. */
async function describeBaseline(keepsake: Keepsake, isThere: boolean): Promise<string> {
  const files = [...filesBelow(await keepsake.contents())]
    .map(({ folder, name: file, entry }) => ({ path: childPath(folder, file), size: entry.size }))
    .filter(({ path }) => path !== treePath);
  const kept = files.flatMap(({ path, size }) => (size > largestText ? [] : [path]));
  const missing = isThere ? await keepsake.changes.baseline.missing(kept) : kept;
  const left = files.length - kept.length;
  const known =
    missing === null || missing.length === 0
      ? ''
      : `; it has ${kept.length - missing.length} of ${kept.length} files, the others follow while keepsake serve runs`;
  return `${known}${left > 0 ? `; ${left} over 20 MB left out` : ''}`;
}

const mostNamed = 3;

/** The state of a vault lies elsewhere, so who copies only the vault leaves it behind. */
async function checkWithoutState(keepsake: Keepsake): Promise<Check> {
  const changelog = await keepsake.readFile(keepsake.layout().changelogPath);
  const wasFiled = changelog.kind === 'file' && changelogEntries(changelog.bytes.toString()).length > 0;
  const hasTree = (await keepsake.readFile(treePath)).kind === 'file';
  if (readIdentity(keepsake.root) === null || !(wasFiled || hasTree))
    return ok(name, 'nothing has changed yet');
  return warning(
    'this vault was used before, but nothing of its history, its queue and its tokens is here',
    'if they are in a backup, restore that elsewhere: keepsake restore-backup <folder> --to <vault>; else go on without them',
  );
}

function warning(message: string, mend: string): Check {
  return { name, status: 'warning', message, mend };
}
