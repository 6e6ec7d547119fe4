import { existsSync } from 'node:fs';
import { dirname, join, resolve, sep } from 'node:path';
import { AppError, openVaultRoot } from '../app/index.ts';
import { planMemoryChange, planMemoryRemoval, writeConfigChange } from '../connect/index.ts';
import { readPlace, readSettings, resolveProjectLink } from '../hook/index.ts';
import { updateSettings } from '../sessions/index.ts';
import { bucketPath, baseName, toolMemoryName } from '../vault/index.ts';
import type { Cli } from './command.ts';
import { resolveLayout } from './connect-plan.ts';
import type { ConnectionTarget } from './connect-plan.ts';
import { note, printResult } from './print-outcome.ts';

/** Lets Claude Code keep its own memory of a linked repository in the bucket of its project, or shows what that changes. */
export function connectMemory(cli: Cli, target: ConnectionTarget & { write?: boolean }): void {
  const { environment } = cli;
  const folder = environment.resolve(target.project ?? '.');
  const { links } = readSettings(environment.configurationHome);
  const link = resolveProjectLink(readPlace(folder), links);
  if (link.kind !== 'project')
    throw new AppError('bad-input', `${folder} is not linked to a project`, {
      hint: 'link it with: keepsake link <project>',
    });
  const root = openVaultRoot({ vault: target.vault, state: target.state, environment });
  const { names } = resolveLayout(target, environment);
  const memory = join(root, names.projects, link.project, baseName(bucketPath), toolMemoryName);
  const change = planMemoryChange(findRepository(folder), memory);
  const { outcome, file, diff } = change;
  const isWritten = target.write === true && outcome !== 'unchanged';
  const backup = isWritten ? writeConfigChange(change, Date.now) : null;
  if (target.write === true)
    updateSettings(environment, (settings) => ({
      ...settings,
      memoryFiles: [...new Set([...settings.memoryFiles, file])],
    }));
  const done =
    outcome === 'unchanged'
      ? `${file} is already up to date`
      : isWritten
        ? `${diff}\n${outcome} ${file}${backup === null ? '' : `\nbackup: ${backup}`}`
        : `${diff}\nchanges ${file}; do it with --write`;
  printResult(cli, done, { file, memory, outcome, isWritten, backup, diff }, target);
  if (target.json === true) return;
  note(
    cli,
    `Claude Code keeps its memory of ${link.project} in ${memory}, in new sessions in this repository`,
  );
  note(cli, 'bring in its earlier memory with: keepsake import memories claude-code');
}

/** The nearest parent folder with a git repository; the folder itself if there is none. */
function findRepository(folder: string): string {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git'))) return at;
    if (dirname(at) === at) return folder;
  }
}

/** Removes the memory folder from the settings of all repositories. Returns messages about changed files. */
export function disconnectMemory({ environment }: Cli): string[] {
  const { memoryFiles } = readSettings(environment.configurationHome);
  if (memoryFiles.length === 0) return [];
  const ending = `${sep}${baseName(bucketPath)}${sep}${toolMemoryName}`;
  const messages = memoryFiles
    .filter((file) => existsSync(file))
    .flatMap((file) => {
      const change = planMemoryRemoval(file, (folder) => folder.endsWith(ending));
      return change.outcome === 'unchanged'
        ? []
        : [`changed ${file}; backup: ${writeConfigChange(change, Date.now)}`];
    });
  updateSettings(environment, (settings) => ({ ...settings, memoryFiles: [] }));
  return messages;
}
