import { join } from 'node:path';
import { Argument } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import { readPlace, readSettings, resolveProjectLink } from '../hook/index.ts';
import { importSource, memoryTools, readMemories } from '../import/index.ts';
import type { ImportReport, Memories, MemoryTool } from '../import/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { resolveLayout } from './connect-plan.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { printResult } from './print-outcome.ts';
import { confirm } from './prompt.ts';

type Options = VaultOptions & { folder: string; dryRun?: boolean; yes?: boolean };
type Planned = Memories & { into: string };

export function memoriesCommand(cli: Cli): Command {
  const command = vaultCommand('memories')
    .summary('import what AI tools remember on this machine')
    .description(
      'Copy the memories of Codex, Gemini CLI and Claude Code, and the instruction files of a project (CLAUDE.md, AGENTS.md, GEMINI.md, .cursor/rules), as notes without secrets: the first three into bucket/memories/, those of a project into its bucket. Shows the plan and asks. Nothing of the tools is changed; running it again imports only what is new.',
    )
    .addArgument(new Argument('[tools...]', 'whose memories (default: all found)').choices([...memoryTools]))
    .option('--folder <folder>', 'folder of the project', '.')
    .option('--dry-run', 'only show the plan')
    .option('--yes', 'import without asking')
    .action(async (tools: MemoryTool[], _: Options, self: Command) => {
      // Options before the name of the command belong to `import`, which has the same ones.
      cli.finish(await importMemories(cli, tools, self.optsWithGlobals()));
    });
  return withExamples(command, [
    'import memories',
    'import memories codex --dry-run',
    'import memories project --yes',
  ]);
}

async function importMemories(cli: Cli, named: MemoryTool[], options: Options): Promise<ExitCode> {
  const planned = (named.length === 0 ? memoryTools : [...new Set(named)]).flatMap((tool) =>
    plan(cli, tool, options, named.length > 0),
  );
  const found = planned.filter(({ source }) => source.files.length > 0 || source.leftOut.length > 0);
  if (found.every(({ source }) => source.files.length === 0)) {
    printResult(cli, ['No memories found.', ...found.map(describe)].join('\n'), { imported: [] }, options);
    return exitCode.ok;
  }
  const isPlan = options.dryRun === true;
  if (options.json !== true) cli.stdout.write(`${found.map(describe).join('\n')}\n`);
  if (!isPlan && options.yes !== true && !(await confirm(cli, question[cli.environment.language], options))) {
    cli.stderr.write('nothing was imported; to import, repeat the command with --yes\n');
    return exitCode.refused;
  }
  const imported = await withKeepsake(cli, options, async (keepsake) => {
    const reports: ImportReport[] = [];
    for (const { source, into } of found)
      reports.push(await importSource(keepsake, { source, into, kind: 'folder', isDryRun: isPlan }));
    return reports;
  });
  printResult(cli, imported.map(summarize).join('\n'), { imported }, options);
  return exitCode.ok;
}

const question = { en: 'Import them? [y/N] ', fr: 'Les importer ? [o/N] ' };

/** Empty for a folder without a link, unless the user has named the project: then it throws. */
function plan(cli: Cli, tool: MemoryTool, options: Options, isNamed: boolean): Planned[] {
  const { environment } = cli;
  const { home, variable } = environment;
  const project = environment.resolve(options.folder);
  const memories = readMemories(tool, {
    home,
    project,
    codexHome: variable('CODEX_HOME') ?? join(home, '.codex'),
  });
  if (tool !== 'project') return [{ ...memories, into: `bucket/memories/${tool}` }];
  const { links } = readSettings(environment.configurationHome);
  const link = resolveProjectLink(readPlace(project), links);
  if (link.kind === 'project') {
    const { names } = resolveLayout(options, environment);
    return [{ ...memories, into: `${names.projects}/${link.project}/bucket/memories` }];
  }
  if (isNamed)
    throw new AppError('bad-input', `${project} is not linked to a project`, {
      hint: 'link it with: keepsake link <project>',
    });
  return [];
}

function describe({ tool, source, secrets, into }: Planned): string {
  return [
    `${tool}: ${source.files.length} ${source.files.length === 1 ? 'note' : 'notes'} into vault/${into}${secrets === 0 ? '' : `, ${secrets} secrets removed`}`,
    ...source.files.map(({ path }) => `  ${path}`),
    ...source.leftOut.map(({ path, reason }) => `  skipped ${path}: ${reason}`),
  ].join('\n');
}

function summarize({ into, added, replaced, unchanged, id, isDryRun }: ImportReport): string {
  const counts = `${added.notes} new, ${replaced} updated, ${unchanged} already imported`;
  if (isDryRun) return `${into}: ${counts}; nothing was written`;
  return `${into}: ${counts}${id === null ? '' : `; undo with: keepsake undo ${id.slice(0, 8)}`}`;
}
