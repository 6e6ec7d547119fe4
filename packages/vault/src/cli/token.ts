import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { formatLocalTime } from '../contract/index.ts';
import { openTokens } from '../server/index.ts';
import type { StoredScope, Tokens } from '../server/index.ts';
import { formatTime } from '../vault/index.ts';
import { withExamples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { printResult } from './print-outcome.ts';

export function tokenCommand(cli: Cli): Command {
  const command = vaultCommand('token')
    .enablePositionalOptions()
    .summary('manage access tokens of this vault')
    .description('List the access tokens of this vault. A token is valid only for this vault.')
    .action(async (options: VaultOptions) => {
      const tokens = await withKeepsake(cli, options, async (keepsake) => openVaultTokens(keepsake).list());
      const lines = tokens.map(
        ({ id, name, scope, createdAt }) =>
          `${id.slice(0, 8)}  ${scope.padEnd(8)}  ${formatTime(formatLocalTime(createdAt))}  ${name}`,
      );
      printResult(cli, lines.length === 0 ? 'no tokens yet' : lines.join('\n'), { tokens }, options);
      cli.finish(exitCode.ok);
    });
  const create = vaultCommand('create')
    .summary('create a token (shown once)')
    .argument('<name>', 'label of the token')
    .addOption(
      new Option('--scope <scope>', 'permissions of the token; calendar: only the calendar feed')
        .choices(['read', 'write', 'calendar'])
        .default('read'),
    )
    .action(async (name: string, _: unknown, called: Command) => {
      const options: VaultOptions & { scope: StoredScope } = called.optsWithGlobals();
      const token = await withKeepsake(cli, options, async (keepsake) => {
        keepsake.state.ensureAdopted();
        return openVaultTokens(keepsake).create(name, options.scope);
      });
      printResult(
        cli,
        options.scope === 'calendar'
          ? `/api/vaults/default/calendar.ics?token=${token.secret}\nshown only once; subscribe to this path of your server in your calendar application`
          : `${token.secret}\nshown only once; send it as: Authorization: Bearer …`,
        token,
        options,
      );
      cli.finish(exitCode.ok);
    });
  const revoke = vaultCommand('revoke')
    .summary('revoke a token')
    .argument('<id>', 'id from keepsake token')
    .action(async (id: string, _: unknown, called: Command) => {
      const options: VaultOptions = called.optsWithGlobals();
      const isDone = await withKeepsake(cli, options, async (keepsake) =>
        openVaultTokens(keepsake).revoke(id),
      );
      if (!isDone)
        throw new AppError('bad-input', `token not found: ${id}`, {
          hint: 'list the tokens with: keepsake token',
        });
      printResult(cli, `revoked ${id}`, { id }, options);
      cli.finish(exitCode.ok);
    });
  for (const each of [create, revoke]) command.addCommand(each);
  return withExamples(command, [
    'token',
    'token create phone --scope read',
    'token create calendar --scope calendar',
    'token revoke 3f2c',
  ]);
}

function openVaultTokens(keepsake: Keepsake): Tokens {
  return openTokens(keepsake)();
}
