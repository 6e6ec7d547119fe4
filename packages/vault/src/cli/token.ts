import { Option } from 'commander';
import type { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Keepsake } from '../app/index.ts';
import { localTime } from '../contract/index.ts';
import { openTokens } from '../server/index.ts';
import type { Tokens, TokenScope } from '../server/index.ts';
import { showTime } from '../vault/index.ts';
import { examples, vaultCommand, withKeepsake } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';
import { print } from './show-outcome.ts';

export function tokenCommand(cli: Cli): Command {
  const command = vaultCommand('token')
    .enablePositionalOptions()
    .summary('let programs use the service of this vault')
    .description('Lists the tokens of this vault. A token opens this vault and no other.')
    .action(async (options: VaultOptions) => {
      const tokens = await withKeepsake(cli, options, async (keepsake) => tokensOf(keepsake).list());
      const lines = tokens.map(
        ({ id, name, scope, createdAt }) =>
          `${id.slice(0, 8)}  ${scope.padEnd(5)}  ${showTime(localTime(createdAt))}  ${name}`,
      );
      print(cli, lines.length === 0 ? 'no tokens yet' : lines.join('\n'), { tokens }, options);
      cli.finish(exitCode.ok);
    });
  const create = vaultCommand('create')
    .summary('make a token; its secret is shown once')
    .argument('<name>', 'what it is for')
    .addOption(new Option('--scope <scope>', 'what it allows').choices(['read', 'write']).default('read'))
    .action(async (name: string, _: unknown, called: Command) => {
      const options: VaultOptions & { scope: TokenScope } = called.optsWithGlobals();
      const token = await withKeepsake(cli, options, async (keepsake) => {
        keepsake.state.adopt();
        return tokensOf(keepsake).create(name, options.scope);
      });
      print(cli, `${token.secret}\nshown only now; give it as: Authorization: Bearer …`, token, options);
      cli.finish(exitCode.ok);
    });
  const revoke = vaultCommand('revoke')
    .summary('take a token back')
    .argument('<id>', 'as keepsake token lists it')
    .action(async (id: string, _: unknown, called: Command) => {
      const options: VaultOptions = called.optsWithGlobals();
      const isDone = await withKeepsake(cli, options, async (keepsake) => tokensOf(keepsake).revoke(id));
      if (!isDone)
        throw new AppError('bad-input', `there is no token ${id}`, { mend: 'see: keepsake token' });
      print(cli, `revoked ${id}`, { id }, options);
      cli.finish(exitCode.ok);
    });
  for (const each of [create, revoke]) command.addCommand(each);
  return examples(command, ['token', 'token create phone --scope read', 'token revoke 3f2c']);
}

function tokensOf(keepsake: Keepsake): Tokens {
  return openTokens(keepsake)();
}
