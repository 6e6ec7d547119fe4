import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { ToolOutcome } from '../tools/index.ts';
import { withExamples, vaultCommand, withToolCaller } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { editInEditor } from './edit-in-editor.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { resolvePathArguments } from './path-argument.ts';
import { printOutcome } from './print-outcome.ts';
import { readText } from './standard-input.ts';

type Options = VaultOptions & { force?: boolean; ifRevision?: string; empty?: boolean };

/**
 * The commands with which the user changes files. They call the write tools; --if-revision or --force takes the place
 * of reading the file first.
 */
export function changeCommands(cli: Cli): Command[] {
  const write = writeCommand('write')
    .summary('create or replace a file')
    .description(
      'Write a file from standard input. Replacing an existing file requires --if-revision or --force.',
    )
    .argument('<path>', 'file, for example bucket/note.md')
    .option('--empty', 'write an empty file instead of reading standard input')
    .action(async (path: string, options: Options) => {
      const hint = 'for an empty file, pass --empty';
      const content = options.empty === true ? '' : await readText(cli, hint);
      cli.finish(
        await runWriteTool(
          cli,
          'write',
          { paths: { path }, text: { content } },
          options,
          options.force === true || options.ifRevision !== undefined,
        ),
      );
    });
  const edit = writeCommand('edit')
    .summary('edit a file, or replace lines of it')
    .description(
      'Open an existing or new file in your editor ($VISUAL or $EDITOR). With --old and --new, replace text that occurs once, or lines copied with their numbers from keepsake read.',
    )
    .argument('<path>', 'the file')
    .option('--old <text>', 'text to replace')
    .option('--new <text>', 'replacement text')
    .action(
      async (
        path: string,
        { old, new: replacement, ...options }: Options & { old?: string; new?: string },
      ) => {
        if ((old === undefined) !== (replacement === undefined))
          throw new AppError('bad-input', '--old and --new must be used together');
        cli.finish(
          old === undefined
            ? await editInEditor(cli, path, options)
            : await runWriteTool(
                cli,
                'edit',
                { paths: { path }, text: { old, new: replacement } },
                options,
                true,
              ),
        );
      },
    );
  const append = writeCommand('append')
    .summary('add text to a file')
    .description('Add text from standard input at the end of a file, or below its frontmatter.')
    .argument('<path>', 'the file')
    .option('--top', 'insert below the frontmatter instead of at the end')
    .action(async (path: string, { top, ...options }: Options & { top?: boolean }) => {
      cli.finish(
        await runWriteTool(
          cli,
          'append',
          {
            paths: { path },
            text: {
              content: await readText(cli, 'pipe the text to it'),
              position: top === true ? 'top' : 'bottom',
            },
          },
          options,
        ),
      );
    });
  const mv = writeCommand('mv')
    .alias('move')
    .summary('move or rename a file or folder')
    .description('Move a file or folder. Never overwrites existing files.')
    .argument('<from>')
    .argument('<to>', 'new path, or target folder')
    .action(async (from: string, to: string, options: Options) =>
      cli.finish(await runWriteTool(cli, 'move', { paths: { from, to } }, options)),
    );
  const rm = writeCommand('rm')
    .alias('delete')
    .summary('delete a file or folder')
    .description('Delete a file, or a folder with all its contents. Undo with keepsake undo.')
    .argument('<path>')
    .action(async (path: string, options: Options) =>
      cli.finish(await runWriteTool(cli, 'delete', { paths: { path } }, options)),
    );
  return [
    withExamples(write, ['write bucket/note.md < note.md', 'write tasks.md --force < tasks.md']),
    withExamples(edit, ['edit tasks.md', "edit tasks.md --old 'prio: low' --new 'prio: high'"]),
    withExamples(append, ['append changelog.md --top < entry.md']),
    withExamples(mv, ['mv bucket/specs.md projects/startup-x/bucket/']),
    withExamples(rm, ['rm inbox/2025-07-14-call/']),
  ];
}

function writeCommand(name: string): Command {
  return vaultCommand(name)
    .option('--if-revision <revision>', 'fail unless the file is at this revision (see keepsake read --json)')
    .option('--force', 'allow large deletions and overwriting files');
}

type Input = { paths: Record<string, string>; text?: object };

/** With `isRead`, the file counts as read by the user in its current revision, so that it may be overwritten. */
async function runWriteTool(
  cli: Cli,
  name: string,
  { paths, text }: Input,
  options: Options,
  isRead = false,
): Promise<ExitCode> {
  const resolved = await resolvePathArguments(cli, options, Object.values(paths));
  const named = Object.fromEntries(Object.keys(paths).map((key, index) => [key, resolved[index]]));
  return withToolCaller(cli, options, async (call) => {
    const shared = { reader: 'person', door: 'command-line', origin: `keepsake ${name}` } as const;
    const [revision] = isRead
      ? readRevisions(await call({ ...shared, tool: 'read', input: { paths: resolved, head: 1 } }))
      : [];
    if (options.ifRevision !== undefined && revision !== options.ifRevision) {
      cli.stderr.write('error: the file has changed (revision mismatch); read it again\n');
      return exitCode.errors;
    }
    const outcome = await call({
      ...shared,
      tool: name,
      input: { ...named, ...text },
      revision,
      isConfirmed: options.force === true,
    });
    return printOutcome(cli, outcome, options.json);
  });
}

function readRevisions(read: ToolOutcome): string[] {
  if (read.kind !== 'result') return [];
  const { files = [] } = read.result.value as { files?: { revision: string }[] };
  return files.map(({ revision }) => revision);
}
