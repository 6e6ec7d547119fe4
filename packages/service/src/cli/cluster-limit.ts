import { Command, InvalidArgumentError } from 'commander';
import { exitCode, printResult, parseInteger } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { vaultLimits } from '../../../vault/src/contract/index.ts';
import type { LimitName } from '../../../vault/src/contract/index.ts';
import { readServiceLimits, setServiceLimits } from '../hosting/index.ts';
import { withService } from './node.ts';

type LimitOptions = Partial<Record<LimitName, number | 'usual'>> & { json?: boolean };

/** Shows the limits of a vault, after setting those that are passed as options. */
export function limitCommand(cli: Cli): Command {
  const names = Object.keys(vaultLimits) as LimitName[];
  const limit = new Command('limit')
    .summary('show or set the limits of a vault (effective within seconds)')
    .argument('<vault>');
  for (const name of names)
    limit.option(
      `--${name} <number>`,
      `${vaultLimits[name].unit} (default: ${vaultLimits[name].default.toLocaleString('en')})`,
      parseLimit,
    );
  return limit.option('--json', 'print JSON').action(async (vault: string, options: LimitOptions) => {
    const changedLimits = names.flatMap((name) =>
      options[name] === undefined ? [] : [[name, options[name] === 'usual' ? null : options[name]]],
    );
    await withService(cli.environment, async (service) => {
      if (changedLimits.length > 0) await setServiceLimits(service, vault, Object.fromEntries(changedLimits));
      const limits = await readServiceLimits(service, vault);
      const lines = names.map(
        (name) => `${name}  ${limits[name].toLocaleString('en')} ${vaultLimits[name].unit}`,
      );
      printResult(cli, lines.join('\n'), { vault, limits }, options);
    });
    cli.finish(exitCode.ok);
  });
}

function parseLimit(text: string): number | 'usual' {
  if (text === 'usual') return text;
  const number = parseInteger(text);
  if (number === 0) throw new InvalidArgumentError('Expected a positive integer or "usual".');
  return number;
}
