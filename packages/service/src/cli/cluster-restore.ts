import { join } from 'node:path';
import { Command, InvalidArgumentError } from 'commander';
import { exitCode, print } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { exportVault, restoreAsNew, restoreInPlace } from '../hosting/index.ts';
import type { Moment } from '../hosting/index.ts';
import { withService } from './node.ts';

const momentSyntax = 'as of a time, as 2026-11-17T05:00:00Z, or the number of a record';

export function exportCommand(cli: Cli): Command {
  return new Command('export')
    .summary(
      'put a vault as it is now, or as it was, into a folder of this machine, with its history; whoever serves it goes on',
    )
    .argument('<vault>')
    .argument('<folder>', 'which is not there yet')
    .option('--to <moment>', momentSyntax, parseMoment)
    .action(async (vault: string, folder: string, { to }: { to?: Moment }) => {
      const { environment } = cli;
      await withService(environment, async (service) => {
        await exportVault({ ...service, environment }, vault, environment.resolve(folder), to);
        print(
          cli,
          `${vault} is in ${folder}; open it with: keepsake serve --vault ${join(folder, 'vault')} --state ${join(folder, 'state')}`,
          { vault, folder },
          {},
        );
      });
      cli.finish(exitCode.ok);
    });
}

export function restoreCommand(cli: Cli): Command {
  return new Command('restore')
    .summary('bring a vault back as it was, as another one that nobody has a token for yet')
    .argument('<vault>')
    .requiredOption('--to <moment>', momentSyntax, parseMoment)
    .option('--in-place', 'make it the vault itself; what it is now can be restored in the same way')
    .option('--json', 'print the result for programs')
    .action(async (vault: string, options: { json?: boolean; to: Moment; inPlace?: boolean }) => {
      const { environment } = cli;
      await withService(environment, async (service) => {
        const parts = { ...service, environment };
        if (options.inPlace === true) {
          const record = await restoreInPlace(parts, vault, options.to);
          print(
            cli,
            `${vault} is as it was, from its record ${record} on; take that back with: keepsake-service cluster restore ${vault} --to ${record - 1} --in-place`,
            { vault, record },
            options,
          );
        } else {
          const restored = await restoreAsNew(parts, vault, options.to);
          print(
            cli,
            `${restored}\nlet somebody in with: keepsake-service cluster add-token ${restored} <name>`,
            { vault: restored },
            options,
          );
        }
      });
      cli.finish(exitCode.ok);
    });
}

function parseMoment(text: string): Moment {
  if (/^\d+$/.test(text)) return Number(text);
  if (
    /^\d{4}-\d\d-\d\dT\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d)$/.test(text) &&
    !Number.isNaN(Date.parse(text))
  )
    return new Date(text);
  throw new InvalidArgumentError(
    'Write a time with its zone, as 2026-11-17T05:00:00Z, or the number of a record.',
  );
}
