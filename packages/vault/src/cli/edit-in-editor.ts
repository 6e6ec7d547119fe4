import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../app/index.ts';
import { describeOutcome, toFailedOutcome } from '../tools/index.ts';
import { fileKindOf, baseName, formatPath } from '../vault/index.ts';
import { withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { parsePathArgument } from './path-argument.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { printResult, printOutcome } from './print-outcome.ts';
import { decodeText } from './standard-input.ts';

/**
 * Opens a file in the editor and merges the result with concurrent changes. If the result cannot be written, it stays
 * in the temporary file.
 */
export async function editInEditor(cli: Cli, pathArgument: string, options: VaultOptions): Promise<ExitCode> {
  const parsed = await parsePathArgument(cli, options, pathArgument);
  if (fileKindOf(baseName(parsed)) !== 'markdown')
    throw new AppError('bad-input', `${formatPath(parsed)} is not a Markdown file (.md)`);
  return withKeepsake(cli, options, async ({ writeRun }) => {
    const { transaction } = writeRun('person');
    const path = transaction.view.resolveCase(parsed);
    const shown = formatPath(path);
    const present = await transaction.view.read(path);
    if (present.kind === 'folder') throw new AppError('bad-input', `${shown} is a folder; pass a file`);
    if (present.kind === 'refused') throw new AppError('bad-input', `${shown}: ${present.reason}`);
    const before = present.kind === 'file' ? present.bytes : null;
    const folder = mkdtempSync(join(cli.environment.temporaryFolder, 'keepsake-edit-'));
    const file = join(folder, 'note.md');
    writeFileSync(file, before ?? '', { mode: 0o600 });
    openEditor(cli, file);
    const saved = readFileSync(file);
    const isSame = before === null ? saved.length === 0 : saved.equals(before);
    // An editor may save in the system encoding.
    const after = isSame ? saved : Buffer.from(decodeText(cli, saved, file));
    const staged = isSame ? null : transaction.write(path, before, after);
    const verb = before === null ? 'created' : 'edited';
    if (staged?.ok === true) {
      const made = await transaction.commit({ origin: 'keepsake edit', summary: `${verb} ${shown}` });
      const outcome = describeOutcome(made);
      if (outcome.kind === 'failed') {
        cli.stderr.write(`your text is in ${file}\n`);
        return printOutcome(cli, toFailedOutcome(outcome), options.json);
      }
    }
    if (staged?.ok === false)
      throw new AppError('bad-input', `${shown}: ${staged.reason}`, { hint: `your text is in ${file}` });
    rmSync(folder, { recursive: true });
    printResult(
      cli,
      isSame ? 'nothing was changed' : `${verb} ${shown}`,
      { path: shown, isChanged: !isSame },
      options,
    );
    return exitCode.ok;
  });
}

/** Returns when the user has closed the editor. */
function openEditor({ environment: { variable }, stdin, variables, cwd }: Cli, file: string): void {
  const isWindows = process.platform === 'win32';
  const usual = isWindows ? 'notepad' : 'vi';
  const editor = variable('VISUAL') ?? variable('EDITOR') ?? (stdin().isTTY === true ? usual : '');
  if (editor === '')
    throw new AppError('bad-input', 'no terminal to edit in', {
      hint: 'set $EDITOR, or pass --old and --new',
    });
  // The variable may contain options, for example `code --wait`.
  const options = { stdio: 'inherit', env: variables, cwd: cwd() } as const;
  const { status, error } = isWindows
    ? spawnSync(`${editor} "${file}"`, { ...options, shell: true })
    : spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', file], options);
  if (status === 0) return;
  throw new AppError('bad-input', `${editor} failed${error === undefined ? '' : `: ${error.message}`}`, {
    hint: `nothing was saved, your text is in ${file}`,
  });
}
