import type { Command } from 'commander';
import { packageVersion, readEnvironment } from '../app/index.ts';
import { attach, serveMcpStdio } from '../server/index.ts';
import { examples, vaultCommand } from './command.ts';
import type { Finish, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';

export function mcpCommand(finish: Finish): Command {
  const command = vaultCommand('mcp')
    .summary('serve the vault to one MCP client over standard input and output')
    .description(
      'What an MCP client starts. Talks to keepsake serve when that runs on the vault; else serves it by itself.',
    )
    .option('--read-only', 'the client may look and not write')
    .action(async ({ vault, state, readOnly }: VaultOptions & { readOnly?: boolean }) => {
      const log = (entry: object): void =>
        void (
          'level' in entry &&
          entry.level === 'error' &&
          process.stderr.write(`${JSON.stringify(entry)}\n`)
        );
      const isReadOnly = readOnly === true;
      const attached = await attach({ vault, state, environment: readEnvironment(), log, isReadOnly });
      const connection = serveMcpStdio(attached.backend, {
        isReadOnly,
        version: packageVersion(),
        origin: 'mcp',
        onError: (error) => log({ level: 'error', message: String(error) }),
      });
      const stop = (): void => void connection.close();
      for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, stop);
      await connection.closed;
      await attached.close();
      finish(exitCode.ok);
    });
  return examples(command, ['mcp --vault ~/vault', 'mcp --vault ~/vault --read-only']);
}
