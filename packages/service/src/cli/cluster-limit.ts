import { Command, InvalidArgumentError } from 'commander';
import { exitCode, print, wholeNumber } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { vaultLimits } from '../../../vault/src/contract/index.ts';
import type { LimitName } from '../../../vault/src/contract/index.ts';
import { readServiceLimits, setServiceLimits } from '../hosting/index.ts';
import { withService } from './node.ts';

type LimitOptions = Partial<Record<LimitName, number | 'usual'>> & { json?: boolean };

/** Shows the limits; sets those that are given as options first. */
export function limitCommand(cli: Cli): Command {
  const names = Object.keys(vaultLimits) as LimitName[];
  const limit = new Command('limit')
    .summary('show what a vault may use, or set it; the node that serves it knows within seconds')
    .argument('<vault>');
  for (const name of names)
    limit.option(
      `--${name} <number>`,
      `${vaultLimits[name].unit}; usual is ${vaultLimits[name].usual.toLocaleString('en')}`,
      numberOrUsual,
    );
  return limit
    .option('--json', 'print the result for programs')
    .action(async (vault: string, options: LimitOptions) => {
      const given = names.flatMap((name) =>
        options[name] === undefined ? [] : [[name, options[name] === 'usual' ? null : options[name]]],
      );
      await withService(cli.environment, async ({ pool }) => {
        await setServiceLimits(pool, vault, Object.fromEntries(given));
        const limits = (await readServiceLimits(pool, [vault])).get(vault);
        const lines = names.map(
          (name) => `${name}  ${limits?.[name].toLocaleString('en')} ${vaultLimits[name].unit}`,
        );
        print(cli, lines.join('\n'), { vault, limits }, options);
      });
      cli.finish(exitCode.ok);
    });
}

function numberOrUsual(text: string): number | 'usual' {
  if (text === 'usual') return text;
  const number = wholeNumber(text);
  if (number === 0) throw new InvalidArgumentError('It must be 1 or more, or usual.');
  return number;
}
