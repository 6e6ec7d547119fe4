import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import { resolveProjectLink, readSettings, readGitRemote } from '../hook/index.ts';
import { updateSettings } from '../sessions/index.ts';
import { findFolder } from '../vault/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printResult } from './print-outcome.ts';

type Options = VaultOptions & { folder: string; none?: boolean; remove?: boolean };

export function linkCommand(cli: Cli): Command {
  const command = vaultCommand('link')
    .summary('link a folder to a project')
    .description(
      'Link the current folder to a project of the vault: by the remote of its git repository, which covers all checkouts, or else by its path. Without a project, show the link.',
    )
    .argument('[project]', 'name of a project')
    .option('--folder <folder>', 'folder to link', '.')
    .addOption(new Option('--none', 'exclude the folder: no project, brief or recording').conflicts('remove'))
    .option('--remove', 'remove the link')
    .action(async (project: string | undefined, options: Options) => {
      await runLink(cli, project, options);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['link', 'link startup-x', 'link --none']);
}

async function runLink(cli: Cli, project: string | undefined, options: Options): Promise<void> {
  const { environment } = cli;
  const folder = environment.resolve(options.folder);
  const remote = readGitRemote(folder);
  const key = remote ?? folder;
  if (project === undefined && options.none !== true && options.remove !== true) {
    const linked = resolveProjectLink(folder, remote, readSettings(environment.configurationHome).links);
    const text = {
      project: () =>
        `${folder} is linked to ${'project' in linked ? linked.project : ''} (${'by' in linked ? linked.by : ''})`,
      none: () => `${folder} is excluded: no project, brief or recording`,
      unknown: () => `${folder} is not linked; link it with: keepsake link <project>`,
    }[linked.kind]();
    return printResult(cli, text, { folder, remote, ...linked }, options);
  }
  if (project !== undefined && (options.none === true || options.remove === true))
    throw new AppError('bad-input', 'pass a project, --none or --remove');
  if (project !== undefined) await assertProjectExists(cli, project, options);
  updateSettings(environment, (settings) => {
    const { [key]: _, ...others } = settings.links;
    const links = options.remove === true ? others : { ...others, [key]: project ?? null };
    return { ...settings, links };
  });
  const done =
    options.remove === true
      ? 'is no longer linked'
      : project === undefined
        ? 'is excluded'
        : `is linked to ${project}`;
  printResult(cli, `${key} ${done}`, { key, project: project ?? null }, options);
}

async function assertProjectExists(cli: Cli, project: string, options: VaultOptions): Promise<void> {
  const names = await withKeepsake(cli, options, async (keepsake) => [
    ...(findFolder(await keepsake.contents(), keepsake.layout().projectsPath)?.folders.keys() ?? []),
  ]);
  if (names.includes(project)) return;
  throw new AppError('bad-input', `project not found: ${project}; available: ${names.join(', ') || 'none'}`);
}
