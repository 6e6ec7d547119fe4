import type { Command } from 'commander';
import { AppError, findOwnerProcess, resolveStateFolder } from '../app/index.ts';
import { requestLoginLink } from '../server/index.ts';
import { withExamples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';

export function openCommand(cli: Cli): Command {
  const command = vaultCommand('open')
    .summary('print a link that opens the vault in the browser')
    .description('Request a one-time sign-in link, valid for five minutes, from a running keepsake serve.')
    .action(async (options: VaultOptions) => {
      const owner = findOwnerProcess(
        resolveStateFolder({ ...options, environment: cli.environment }),
        Date.now,
      );
      if (owner === null)
        throw new AppError('bad-state', 'the vault is not being served', {
          hint: 'start it with: keepsake serve',
        });
      const url = await requestLoginLink(owner);
      cli.stdout.write(options.json === true ? `${JSON.stringify({ url })}\n` : `${url}\n`);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['open']);
}
