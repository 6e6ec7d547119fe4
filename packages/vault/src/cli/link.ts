import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import { linkOf, readSettings, remoteOf } from '../hook/index.ts';
import { changeSettings } from '../sessions/index.ts';
import { folderIn } from '../vault/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { print } from './show-outcome.ts';

type Options = VaultOptions & { folder: string; none?: boolean; remove?: boolean };

export function linkCommand(cli: Cli): Command {
  const command = vaultCommand('link')
    .summary('say which project of the vault a folder belongs to')
    .description(
      'Links the present folder to a project of the vault: by the remote of its git repository where it has one, so that all checkouts of it count, else by its path. Without a project: says what it is linked to.',
    )
    .argument('[project]', 'the name of a project')
    .option('--folder <folder>', 'another folder than the present one', '.')
    .addOption(new Option('--none', 'no project, no brief and no record there').conflicts('remove'))
    .option('--remove', 'forget the link')
    .action(async (project: string | undefined, options: Options) => {
      await act(cli, project, options);
      cli.finish(exitCode.ok);
    });
  return examples(command, ['link', 'link startup-x', 'link --none']);
}

async function act(cli: Cli, project: string | undefined, options: Options): Promise<void> {
  const { environment } = cli;
  const folder = environment.resolve(options.folder);
  const remote = remoteOf(folder);
  const key = remote ?? folder;
  if (project === undefined && options.none !== true && options.remove !== true) {
    const linked = linkOf(folder, remote, readSettings(environment.configurationHome).links);
    const said = {
      project: () =>
        `${folder} belongs to ${'project' in linked ? linked.project : ''} (${'by' in linked ? linked.by : ''})`,
      none: () => `${folder} belongs to no project, and sessions in it are none of ours`,
      unknown: () => `${folder} is not linked; link it with: keepsake link <project>`,
    }[linked.kind]();
    return print(cli, said, { folder, remote, ...linked }, options);
  }
  if (project !== undefined && (options.none === true || options.remove === true))
    throw new AppError('bad-input', 'name a project, or --none, or --remove');
  if (project !== undefined) await mustExist(cli, project, options);
  changeSettings(environment, (settings) => {
    const { [key]: _, ...others } = settings.links;
    const links = options.remove === true ? others : { ...others, [key]: project ?? null };
    return { ...settings, links };
  });
  const done =
    options.remove === true ? 'is not linked any more' : `belongs to ${project ?? 'no project'} now`;
  print(cli, `${key} ${done}`, { key, project: project ?? null }, options);
}

async function mustExist(cli: Cli, project: string, options: VaultOptions): Promise<void> {
  const names = await withKeepsake(cli, options, async (keepsake) => [
    ...(folderIn(await keepsake.contents(), keepsake.layout().projectsPath)?.folders.keys() ?? []),
  ]);
  if (names.includes(project)) return;
  throw new AppError('bad-input', `there is no project ${project}; there are: ${names.join(', ') || 'none'}`);
}
