import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { ToolOutcome } from '../tools/index.ts';
import { examples, vaultCommand, withToolCaller } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { editInEditor } from './edit-in-editor.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { showOutcome } from './show-outcome.ts';
import { readStandardInput } from './standard-input.ts';

type Options = VaultOptions & { force?: boolean; ifRevision?: string };

/** The commands by which a person changes files: the tools, with a person's own way of saying that they have read. */
export function changeCommands(cli: Cli): Command[] {
  const write = guarded('write')
    .summary('create or replace a file')
    .description('Writes a file from standard input. Replacing one needs --if-revision or --force.')
    .argument('<path>', 'the file, as bucket/note.md')
    .action(async (path: string, options: Options) => {
      cli.finish(
        await change(
          cli,
          'write',
          { path, content: await readStandardInput(cli) },
          options,
          options.force === true || options.ifRevision !== undefined ? path : null,
        ),
      );
    });
  const edit = guarded('edit')
    .summary('edit a file, or replace lines of it')
    .description(
      'Opens a file in your editor (VISUAL, else EDITOR), or a new one. With --old and --new it replaces text that occurs once, or lines copied with their numbers from keepsake read.',
    )
    .argument('<path>', 'the file')
    .option('--old <text>', 'what stands there')
    .option('--new <text>', 'what is to stand there')
    .action(
      async (
        path: string,
        { old, new: replacement, ...options }: Options & { old?: string; new?: string },
      ) => {
        if ((old === undefined) !== (replacement === undefined))
          throw new AppError('bad-input', '--old and --new belong together');
        cli.finish(
          old === undefined
            ? await editInEditor(cli, path, options)
            : await change(cli, 'edit', { path, old, new: replacement }, options, path),
        );
      },
    );
  const append = guarded('append')
    .summary('add text to a file')
    .description('Adds text from standard input below the frontmatter, or at the end.')
    .argument('<path>', 'the file')
    .option('--top', 'on top instead of at the end')
    .action(async (path: string, { top, ...options }: Options & { top?: boolean }) => {
      cli.finish(
        await change(
          cli,
          'append',
          { path, content: await readStandardInput(cli), position: top === true ? 'top' : 'bottom' },
          options,
          null,
        ),
      );
    });
  const mv = guarded('mv')
    .alias('move')
    .summary('move or rename a file or folder')
    .description('Moves a file or folder. Never replaces anything.')
    .argument('<from>')
    .argument('<to>', 'its new path, or a folder to put it into')
    .action(async (from: string, to: string, options: Options) =>
      cli.finish(await change(cli, 'move', { from, to }, options, null)),
    );
  const rm = guarded('rm')
    .alias('delete')
    .summary('delete a file or folder')
    .description('Deletes a file, or a folder with everything in it. keepsake undo brings it back.')
    .argument('<path>')
    .action(async (path: string, options: Options) =>
      cli.finish(await change(cli, 'delete', { path }, options, null)),
    );
  return [
    examples(write, ['write bucket/note.md < note.md', 'write tasks.md --force < tasks.md']),
    examples(edit, ['edit tasks.md', "edit tasks.md --old 'prio: low' --new 'prio: high'"]),
    examples(append, ["append changelog.md --top <<< '# 2025-07-15'"]),
    examples(mv, ['mv bucket/specs.md projects/startup-x/bucket/']),
    examples(rm, ['rm inbox/2025-07-14-call/']),
  ];
}

function guarded(name: string): Command {
  return vaultCommand(name)
    .option(
      '--if-revision <revision>',
      'only if the file is still at this revision (see keepsake read --json)',
    )
    .option('--force', 'also when it replaces a file or removes much at once');
}

/** `read` names a file whose present content the person takes as read. */
async function change(
  cli: Cli,
  name: string,
  input: unknown,
  options: Options,
  read: string | null,
): Promise<ExitCode> {
  return withToolCaller(cli, options, async (call) => {
    const shared = { reader: 'person', door: 'command-line', origin: `keepsake ${name}` } as const;
    const [revision] =
      read === null
        ? []
        : revisionsIn(await call({ ...shared, tool: 'read', input: { paths: read, head: 1 } }));
    if (options.ifRevision !== undefined && revision !== options.ifRevision) {
      cli.stderr.write('error: the file is not at that revision; read it again\n');
      return exitCode.errors;
    }
    const outcome = await call({
      ...shared,
      tool: name,
      input,
      revision,
      isConfirmed: options.force === true,
    });
    return showOutcome(cli, outcome, options.json);
  });
}

function revisionsIn(read: ToolOutcome): string[] {
  if (read.kind !== 'result') return [];
  const { files = [] } = read.result.value as { files?: { revision: string }[] };
  return files.map(({ revision }) => revision);
}
