import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { formatLocalTime } from '../contract/index.ts';
import {
  parseChangelog,
  childPath,
  walkFiles,
  formatBytes,
  formatPath,
  maxTextBytes,
  readIdentity,
  formatTime,
  treePath,
} from '../vault/index.ts';
import { passed } from './check.ts';
import type { HealthCheck } from './check.ts';
import { readConfiguration } from './configuration.ts';
import type { Environment } from './environment.ts';
import type { Keepsake } from './keepsake.ts';
import { findUnrecorded } from './find-unrecorded.ts';
import { describeRetention } from './retention-settings.ts';

const name = 'history';

/** Checks whether changes can be shown and undone. */
export async function checkHistory(keepsake: Keepsake, environment: Environment): Promise<HealthCheck> {
  const { state, changes } = keepsake;
  if (!state.hasDurable()) return checkWithoutState(keepsake);
  const { exists, damage, problems, missingCommits, quarantined, recorded } = await changes.checkHistory();
  const folder = join(state.folder(), 'history.git');
  const fromBackup = `copy state/history.git from a backup to ${folder}`;
  if (!exists && recorded > 0)
    return warning(
      `${folder} is missing; ${recorded} changes can no longer be shown or undone`,
      `${fromBackup}, or continue: the next change starts a new history`,
    );
  if (damage !== null)
    return warning(
      `${folder} is damaged (${damage})`,
      `${fromBackup}, or continue: the next change moves it aside and starts a new history`,
    );
  if (problems.length > 0)
    return warning(
      `${folder} is missing objects; some changes cannot be shown or undone (${problems.slice(0, maxListedItems).join('; ')})`,
      `copy the missing objects from a backup: cp -rn <backup>/state/history.git/objects '${folder}'`,
    );
  const losses = `${missingCommits} of ${recorded} changes can no longer be shown or undone`;
  if (quarantined.length > 0)
    return warning(
      `the damaged history was moved to ${quarantined.join(', ')}; ${losses}`,
      missingCommits === recorded
        ? 'delete that folder'
        : 'delete that folder when you no longer need older changes',
    );
  if (missingCommits > 0) return warning(losses, `${fromBackup}, or continue without them`);
  const loss = changes.recentMassDeletion();
  if (loss !== null)
    return warning(
      `${loss.files} files were deleted at once by another program (${formatTime(formatLocalTime(loss.at))})`,
      `if that was unintended, restore them with: keepsake undo ${loss.id.slice(0, 8)}`,
    );
  const { history } = readConfiguration(environment).retention ?? {};
  const size = exists ? await measureFolder(folder) : 0;
  const stored = `${formatBytes(size)}, ${describeRetention(history)}`;
  return passed(name, `changes: ${changes.count()}; ${stored}${await describeBaseline(keepsake, exists)}`);
}

/** The size of all files below a folder, in bytes. */
async function measureFolder(folder: string): Promise<number> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true });
  let size = 0;
  for (const entry of entries)
    if (entry.isFile()) size += (await stat(join(entry.parentPath, entry.name)).catch(() => null))?.size ?? 0;
  return size;
}

/** Describes which files are missing from history: those that are not added yet, and those that are too large. */
async function describeBaseline(keepsake: Keepsake, exists: boolean): Promise<string> {
  const files = [...walkFiles(await keepsake.contents())]
    .map(({ folder, name: file, entry }) => ({ path: childPath(folder, file), size: entry.size }))
    .filter(({ path }) => path !== treePath);
  const recordableFiles = files.flatMap(({ path, size }) => (size > maxTextBytes ? [] : [path]));
  const missing = exists ? await findUnrecorded(keepsake, recordableFiles) : recordableFiles;
  const omitted = files.filter(({ size }) => size > maxTextBytes).map(({ path }) => formatPath(path));
  const known =
    missing.length === 0
      ? ''
      : `; it has ${recordableFiles.length - missing.length} of ${recordableFiles.length} files, the rest are added while keepsake serve runs`;
  const more = omitted.length > maxListedItems ? ` and ${omitted.length - maxListedItems} more` : '';
  const named = `; without files larger than 20 MB: ${omitted.slice(0, maxListedItems).join(', ')}${more}`;
  return `${known}${omitted.length > 0 ? named : ''}`;
}

const maxListedItems = 3;

/**
 * Warns about a used vault without its state. The state is stored outside the vault folder, so a copy of that folder
 * lacks it.
 */
async function checkWithoutState(keepsake: Keepsake): Promise<HealthCheck> {
  const changelog = await keepsake.readFile(keepsake.layout().changelogPath);
  const wasFiled = changelog.kind === 'file' && parseChangelog(changelog.bytes.toString()).length > 0;
  const hasTree = (await keepsake.readFile(treePath)).kind === 'file';
  if (readIdentity(keepsake.root) === null || !(wasFiled || hasTree)) return passed(name, 'no changes yet');
  return warning(
    'this vault was used before, but its state (history, queue, tokens) is missing',
    'if you have a backup, restore it elsewhere: keepsake restore-backup <folder> --to <vault>; otherwise continue without it',
  );
}

function warning(message: string, hint: string): HealthCheck {
  return { name, status: 'warning', message, hint };
}
