import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import { readPlace, readSettings, resolveProjectLink } from '../hook/index.ts';
import { updateSettings } from '../sessions/index.ts';
import { describeOutcome } from '../tools/index.ts';
import { childPath, findFolder, formatPath, portableProblem } from '../vault/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printResult } from './print-outcome.ts';
import { confirm } from './prompt.ts';

type Options = VaultOptions & { folder: string; create?: boolean; none?: boolean; remove?: boolean };

export function linkCommand(cli: Cli): Command {
  const command = vaultCommand('link')
    .summary('link a folder to a project')
    .description(
      'Link the current folder to a project of the vault: by the remote of its git repository, which covers all checkouts, or else by its path. A project that does not exist is created, after a question. Without a project, show the link.',
    )
    .argument('[project]', 'name of a project')
    .option('--folder <folder>', 'folder to link', '.')
    .option('--create', 'create the project without asking if it does not exist')
    .addOption(new Option('--none', 'exclude the folder: no project, brief or recording').conflicts('remove'))
    .option('--remove', 'remove the link')
    .action(async (project: string | undefined, options: Options) => {
      await runLink(cli, project, options);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['link', 'link startup-x', 'link startup-x --create', 'link --none']);
}

async function runLink(cli: Cli, project: string | undefined, options: Options): Promise<void> {
  const { environment } = cli;
  const folder = environment.resolve(options.folder);
  const place = readPlace(folder);
  const remote = place.repository?.remote ?? null;
  const key = remote ?? place.mainFolder;
  if (project === undefined && options.none !== true && options.remove !== true) {
    const linked = resolveProjectLink(place, readSettings(environment.configurationHome).links);
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
  const created = project === undefined ? null : await ensureProject(cli, project, { ...options, remote });
  updateSettings(environment, (settings) => {
    const { [key]: _, [folder]: __, ...others } = settings.links;
    const links = options.remove === true ? others : { ...others, [key]: project ?? null };
    return { ...settings, links };
  });
  const done =
    options.remove === true
      ? 'is no longer linked'
      : project === undefined
        ? 'is excluded'
        : `is linked to ${project}`;
  const text = `${created === null ? '' : `created ${created}\n`}${key} ${done}`;
  printResult(cli, text, { key, project: project ?? null, created }, options);
}

/** Creates a missing project with --create, or if the user agrees. Returns the path of its description; null if the project exists. */
export async function ensureProject(
  cli: Cli,
  project: string,
  options: VaultOptions & { create?: boolean; remote: string | null },
): Promise<string | null> {
  return withKeepsake(cli, options, async (keepsake) => {
    const { projectsPath } = keepsake.layout();
    const names = [...(findFolder(await keepsake.contents(), projectsPath)?.folders.keys() ?? [])];
    if (names.includes(project)) return null;
    const path = childPath(childPath(projectsPath, project), 'description.md');
    const problem = /[/\\]|^\./.test(project) ? 'it must be one folder name' : portableProblem(path);
    if (problem !== null)
      throw new AppError('bad-input', `${project} cannot be the name of a project: ${problem}`);
    const question = texts[cli.environment.language](project, formatPath(projectsPath));
    if (options.create !== true && !(await confirm(cli, question, options)))
      throw new AppError(
        'bad-input',
        `project not found: ${project}; available: ${names.join(', ') || 'none'}`,
        { hint: `create it with: keepsake link ${project} --create` },
      );
    const { transaction } = keepsake.writeRun('person');
    const text = `# ${project}\n${options.remote === null ? '' : `\nRepository: ${options.remote}\n`}`;
    const staged = transaction.write(path, null, Buffer.from(text));
    if (!staged.ok) throw new AppError('bad-target', `${formatPath(path)}: ${staged.reason}`);
    const outcome = describeOutcome(
      await transaction.commit({ origin: 'keepsake link', summary: `created project ${project}` }),
    );
    if (outcome.kind === 'failed') throw new AppError('bad-target', outcome.message, { hint: outcome.hint });
    return formatPath(path);
  });
}

const texts = {
  en: (project: string, folder: string) => `There is no project ${project} in ${folder}. Create it? [y/N] `,
  fr: (project: string, folder: string) =>
    `Il n’y a pas de projet ${project} dans ${folder}. Le créer ? [o/N] `,
};
