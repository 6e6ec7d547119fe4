import type { Command } from 'commander';
import { AppError, findOwner, stateFolderFor } from '../app/index.ts';
import { requestLink } from '../server/index.ts';
import { examples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';

export function openCommand(cli: Cli): Command {
  const command = vaultCommand('open')
    .summary('print a link that opens the vault in the browser')
    .description(
      'Asks keepsake serve, which must run on the vault, for a link that works once, within five minutes.',
    )
    .action(async (options: VaultOptions) => {
      const owner = findOwner(stateFolderFor({ ...options, environment: cli.environment }), Date.now);
      if (owner === null)
        throw new AppError('bad-state', 'nobody serves this vault', {
          mend: 'start it with: keepsake serve',
        });
      const url = await requestLink(owner);
      cli.stdout.write(options.json === true ? `${JSON.stringify({ url })}\n` : `${url}\n`);
      cli.finish(exitCode.ok);
    });
  return examples(command, ['open']);
}
