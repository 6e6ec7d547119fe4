import { Command, Option } from 'commander';
import { exitCode, print } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import type { Role, TokenScope } from '../../../vault/src/server/index.ts';
import { createServiceToken, inviteIntoVault } from '../hosting/index.ts';
import { withService } from './node.ts';

export function addTokenCommand(cli: Cli): Command {
  return new Command('add-token')
    .summary('let a program use a vault; the secret is shown once')
    .argument('<vault>')
    .argument('<name>', 'what it is for')
    .addOption(new Option('--scope <scope>', 'what it allows').choices(['read', 'write']).default('read'))
    .option('--json', 'print the result for programs')
    .action(async (vault: string, name: string, options: { json?: boolean; scope: TokenScope }) => {
      await withService(cli.environment, async ({ pool }) => {
        const secret = await createServiceToken(pool, { vault, name, scope: options.scope });
        print(cli, `${secret}\nshown only now; give it as: Authorization: Bearer …`, { secret }, options);
      });
      cli.finish(exitCode.ok);
    });
}

export function inviteCommand(cli: Cli): Command {
  return new Command('invite')
    .summary('print a link that lets somebody into a vault, once, within a week')
    .argument('<vault>')
    .argument('<name>', 'what they are called, for history')
    .addOption(
      new Option('--role <role>', 'what they may do').choices(['owner', 'writer', 'reader']).default('owner'),
    )
    .option('--json', 'print the result for programs')
    .action(async (vault: string, name: string, options: { json?: boolean; role: Role }) => {
      await withService(cli.environment, async (service) => {
        const url = await inviteIntoVault(service, { vault, name, role: options.role });
        print(
          cli,
          `${url}\nshown only now; it opens the vault for ${name}, once, within a week`,
          { url },
          options,
        );
      });
      cli.finish(exitCode.ok);
    });
}
