import { Command, Option } from 'commander';
import { exitCode, printResult } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import type { Role, TokenScope } from '../../../vault/src/server/index.ts';
import { createServiceToken, createVaultInvitation } from '../hosting/index.ts';
import { withService } from './node.ts';

export function addTokenCommand(cli: Cli): Command {
  return new Command('add-token')
    .summary('create an access token for a vault (shown once)')
    .argument('<vault>')
    .argument('<name>', 'label of the token')
    .addOption(
      new Option('--scope <scope>', 'permissions of the token').choices(['read', 'write']).default('read'),
    )
    .option('--json', 'print JSON')
    .action(async (vault: string, name: string, options: { json?: boolean; scope: TokenScope }) => {
      await withService(cli.environment, async ({ pool }) => {
        const secret = await createServiceToken(pool, { vault, name, scope: options.scope });
        printResult(
          cli,
          `${secret}\nshown only once; send it as: Authorization: Bearer …`,
          { secret },
          options,
        );
      });
      cli.finish(exitCode.ok);
    });
}

export function inviteCommand(cli: Cli): Command {
  return new Command('invite')
    .summary('print a one-time invitation link, valid for a week')
    .argument('<vault>')
    .argument('<name>', 'display name used in the history')
    .addOption(
      new Option('--role <role>', 'role of the member')
        .choices(['owner', 'writer', 'reader'])
        .default('owner'),
    )
    .option('--json', 'print JSON')
    .action(async (vault: string, name: string, options: { json?: boolean; role: Role }) => {
      await withService(cli.environment, async (service) => {
        const url = await createVaultInvitation(service, { vault, name, role: options.role });
        printResult(
          cli,
          `${url}\nshown only once; signs ${name} in once, valid for a week`,
          { url },
          options,
        );
      });
      cli.finish(exitCode.ok);
    });
}
