import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { AppError } from '../app/index.ts';
import { explainOutcome, failedOutcome } from '../tools/index.ts';
import { kindOf, nameOf, parseVaultPath, showPath } from '../vault/index.ts';
import { withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import type { ExitCode } from './exit-code.ts';
import { print, showOutcome } from './show-outcome.ts';
import { textOrRefuse } from './standard-input.ts';

/** What was changed in the editor is merged over what others changed meanwhile. What cannot be written stays in its file. */
export async function editInEditor(cli: Cli, given: string, options: VaultOptions): Promise<ExitCode> {
  const parsed = parseVaultPath(given);
  if (!parsed.ok) throw new AppError('bad-input', `${given}: ${parsed.reason}`);
  const { path } = parsed;
  const shown = showPath(path);
  if (kindOf(nameOf(path)) !== 'markdown')
    throw new AppError('bad-input', `${shown} is no markdown; its name must end in .md`);
  return withKeepsake(cli, options, async ({ writeRun }) => {
    const { transaction } = writeRun('person');
    const present = await transaction.view.read(path);
    if (present.kind === 'folder') throw new AppError('bad-input', `${shown} is a folder; name a file`);
    if (present.kind === 'refused') throw new AppError('bad-input', `${shown}: ${present.reason}`);
    const before = present.kind === 'file' ? present.bytes : null;
    const folder = mkdtempSync(join(cli.environment.temporaryFolder, 'keepsake-edit-'));
    const file = join(folder, 'note.md');
    writeFileSync(file, before ?? '', { mode: 0o600 });
    openEditor(cli, file);
    const saved = readFileSync(file);
    const isSame = before === null ? saved.length === 0 : saved.equals(before);
    // An editor may save in the encoding of its system.
    const after = isSame ? saved : Buffer.from(textOrRefuse(cli, saved, file));
    const staged = isSame ? null : transaction.put(path, before, after);
    const verb = before === null ? 'created' : 'edited';
    if (staged?.ok === true) {
      const made = await transaction.commit({ origin: 'keepsake edit', summary: `${verb} ${shown}` });
      const outcome = explainOutcome(made);
      if (outcome.kind === 'failed') {
        cli.stderr.write(`what you wrote is in ${file}\n`);
        return showOutcome(cli, failedOutcome(outcome), options.json);
      }
    }
    if (staged?.ok === false)
      throw new AppError('bad-input', `${shown}: ${staged.reason}`, { mend: `what you wrote is in ${file}` });
    rmSync(folder, { recursive: true });
    print(
      cli,
      isSame ? 'nothing was changed' : `${verb} ${shown}`,
      { path: shown, isChanged: !isSame },
      options,
    );
    return exitCode.ok;
  });
}

/** Waits until the person has closed it. */
function openEditor({ environment: { variable }, stdin, variables, cwd }: Cli, file: string): void {
  const editor = variable('VISUAL') ?? variable('EDITOR') ?? (stdin().isTTY === true ? 'vi' : '');
  if (editor === '')
    throw new AppError('bad-input', 'there is no terminal to edit in', {
      mend: 'name an editor in EDITOR, or give --old and --new',
    });
  // It may have options: `code --wait`.
  const { status, error } = spawnSync('sh', ['-c', `${editor} "$1"`, 'sh', file], {
    stdio: 'inherit',
    env: variables,
    cwd: cwd(),
  });
  if (status === 0) return;
  throw new AppError(
    'bad-input',
    `${editor} did not end well${error === undefined ? '' : `: ${error.message}`}`,
    {
      mend: `nothing was written; what you wrote is in ${file}`,
    },
  );
}
