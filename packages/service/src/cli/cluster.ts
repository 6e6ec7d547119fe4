import { join } from 'node:path';
import { Command, InvalidArgumentError, Option } from 'commander';
import { vaultLimits } from '../../../vault/src/contract/index.ts';
import type { LimitName } from '../../../vault/src/contract/index.ts';
import {
  createServiceToken,
  drainNode,
  exportVault,
  importVault,
  inviteIntoVault,
  moveVault,
  readServiceLimits,
  registerVault,
  removeVault,
  restoreAsNew,
  restoreInPlace,
  setServiceLimits,
  showService,
} from '../hosting/index.ts';
import type { Moment } from '../hosting/index.ts';
import type { Role, TokenScope } from '../../../vault/src/server/index.ts';
import { examples, exitCode, print, wholeNumber } from '../../../vault/src/cli/index.ts';
import type { Cli } from '../../../vault/src/cli/index.ts';
import { withService } from './node.ts';

type Shown = { json?: boolean };

/** Looking after a service of many vaults. */
export function clusterCommand(cli: Cli): Command {
  const cluster = new Command('cluster').summary('look after a service of many vaults');
  cluster
    .command('status')
    .summary('show its nodes')
    .option('--json', 'print the result for programs')
    .action(async (options: Shown) => {
      await withService(cli.environment, async ({ pool }) => {
        const state = await showService(pool);
        const lines = state.nodes.map(
          ({ id, address, group, isAlive, isDraining, vaults }) =>
            `${id}  ${address}  ${group === '' ? '' : `group ${group}  `}${isAlive ? (isDraining ? 'leaving' : 'serving') : 'gone'}  ${vaults} vaults`,
        );
        const sum = `${state.vaults} vaults, ${state.records} records that are in no snapshot yet`;
        print(cli, [...lines, sum].join('\n'), state, options);
      });
      cli.finish(exitCode.ok);
    });
  cluster
    .command('drain')
    .summary('have a node hand its vaults over and take no more, until it is started again')
    .argument('<node>', 'its name')
    .action(async (name: string) => {
      await withService(cli.environment, async ({ pool }) => {
        await drainNode(pool, name);
        print(
          cli,
          `${name} hands its vaults over; keepsake-service cluster status shows how many are left`,
          { node: name },
          {},
        );
      });
      cli.finish(exitCode.ok);
    });
  cluster
    .command('move')
    .summary('have a node serve a vault')
    .argument('<vault>')
    .argument('<node>', 'its name')
    .action(async (vault: string, name: string) => {
      await withService(cli.environment, async ({ pool }) => {
        await moveVault(pool, vault, name);
        print(
          cli,
          `${vault} is served by ${name} when it is next asked for, in a few seconds`,
          { vault, node: name },
          {},
        );
      });
      cli.finish(exitCode.ok);
    });
  cluster
    .command('add-vault')
    .summary('register a vault; it is made when it is first used')
    .argument('[id]', 'letters, digits, - and _ (default: a new one)', checkId)
    .option('--group <group>', 'nodes of this group alone serve it')
    .option('--json', 'print the result for programs')
    .action(async (id: string | undefined, options: Shown & { group?: string }) => {
      await withService(cli.environment, async ({ pool, rootKey }) => {
        const vault = await registerVault(pool, rootKey, id, { group: options.group });
        print(
          cli,
          `${vault}\nat /v/${vault}/ of every node; let somebody in with: keepsake-service cluster add-token ${vault} <name>`,
          { vault },
          options,
        );
      });
      cli.finish(exitCode.ok);
    });
  cluster
    .command('add-token')
    .summary('let a program use a vault; the secret is shown once')
    .argument('<vault>')
    .argument('<name>', 'what it is for')
    .addOption(new Option('--scope <scope>', 'what it allows').choices(['read', 'write']).default('read'))
    .option('--json', 'print the result for programs')
    .action(async (vault: string, name: string, options: Shown & { scope: TokenScope }) => {
      await withService(cli.environment, async ({ pool }) => {
        const secret = await createServiceToken(pool, { vault, name, scope: options.scope });
        print(cli, `${secret}\nshown only now; give it as: Authorization: Bearer …`, { secret }, options);
      });
      cli.finish(exitCode.ok);
    });
  cluster.addCommand(limitCommand(cli));
  cluster
    .command('invite')
    .summary('print a link that lets somebody into a vault, once, within a week')
    .argument('<vault>')
    .argument('<name>', 'what they are called, for history')
    .addOption(
      new Option('--role <role>', 'what they may do').choices(['owner', 'writer', 'reader']).default('owner'),
    )
    .option('--json', 'print the result for programs')
    .action(async (vault: string, name: string, options: Shown & { role: Role }) => {
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
  cluster
    .command('export')
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
  cluster
    .command('import')
    .summary('make a vault of this machine one of the service, with its history; nobody is let in yet')
    .argument('<folder>', 'the vault')
    .argument('[id]', 'letters, digits, - and _ (default: a new one)', checkId)
    .option('--state <folder>', 'its state (default: where Keepsake keeps it)')
    .option('--group <group>', 'nodes of this group alone serve it')
    .option('--json', 'print the result for programs')
    .action(
      async (vault: string, id: string | undefined, options: Shown & { state?: string; group?: string }) => {
        const { environment } = cli;
        await withService(environment, async (service) => {
          const from = { vault, state: options.state };
          const made = await importVault({ ...service, environment }, from, { id, group: options.group });
          print(
            cli,
            `${made}\nis as ${vault} was a moment ago; let somebody in with: keepsake-service cluster add-token ${made} <name>`,
            { vault: made },
            options,
          );
        });
        cli.finish(exitCode.ok);
      },
    );
  cluster
    .command('restore')
    .summary('bring a vault back as it was, as another one that nobody has a token for yet')
    .argument('<vault>')
    .requiredOption('--to <moment>', momentSyntax, parseMoment)
    .option('--in-place', 'make it the vault itself; what it is now can be restored in the same way')
    .option('--json', 'print the result for programs')
    .action(async (vault: string, options: Shown & { to: Moment; inPlace?: boolean }) => {
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
  cluster
    .command('remove-vault')
    .summary('delete a vault for good, by forgetting its key')
    .argument('<vault>')
    .option('--yes', 'it cannot be brought back')
    .action(async (vault: string, { yes }: { yes?: boolean }) => {
      if (yes !== true) {
        print(
          cli,
          `nothing was deleted. Keep a copy with: keepsake-service cluster export ${vault} <folder>; then: keepsake-service cluster remove-vault ${vault} --yes`,
          {},
          {},
        );
        return cli.finish(exitCode.refused);
      }
      await withService(cli.environment, async (service) => {
        await removeVault(service, vault);
        print(cli, `${vault} is deleted; nodes remove their copies within ten minutes`, { vault }, {});
      });
      cli.finish(exitCode.ok);
    });
  return examples(cluster, [
    'cluster status',
    'cluster add-vault',
    'cluster add-token notes phone --scope write',
    'cluster limit notes --files 10000 --requests usual',
    'cluster invite notes Ada',
  ]);
}

type LimitOptions = Partial<Record<LimitName, number | 'usual'>> & Shown;

/** Without a number it only shows. */
function limitCommand(cli: Cli): Command {
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

const momentSyntax = 'as of a time, as 2026-11-17T05:00:00Z, or the number of a record';

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

function checkId(id: string): string {
  if (!/^[\w-]{1,64}$/.test(id)) throw new InvalidArgumentError('Use letters, digits, - and _.');
  return id;
}
