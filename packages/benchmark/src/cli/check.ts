import { Command } from 'commander';
import { withExamples, exitCode } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { checkSystem } from '../eval/index.ts';
import { addSystemOptions, systemFactory } from './system-options.ts';
import type { SystemOptions } from './system-options.ts';

export function checkCommand(cli: Cli): Command {
  const command = addSystemOptions(new Command('check'))
    .summary('try whether a system can take part')
    .description(
      'Start the system given by --system, call each operation that it offers once, and print what it answers.',
    )
    .action(async ({ system = 'grep', ...options }: SystemOptions) => {
      const steps = await checkSystem(systemFactory(cli, { system, ...options }), cli.environment);
      for (const { operation, isWell, detail } of steps)
        cli.stdout.write(`${isWell ? 'ok    ' : 'failed'}  ${operation.padEnd(8)} ${detail}\n`);
      cli.finish(steps.every(({ isWell }) => isWell) ? exitCode.ok : exitCode.errors);
    });
  return withExamples(command, ['check --system "node my-memory.mjs"', 'check --system my-mcp-server.yaml']);
}
