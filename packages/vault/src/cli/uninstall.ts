import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { clientNames, hasEntry, runCommand } from '../connect/index.ts';
import { describeError } from '../contract/index.ts';
import { readSettings } from '../hook/index.ts';
import { identityFolder } from '../vault/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';
import { disconnect } from './disconnect.ts';
import { exitCode } from './exit-code.ts';

type Options = { yes?: boolean; state?: boolean };

/** What Keepsake has left on this machine, and how that is taken away. Throws when it cannot be. */
type Trace = { what: string; remove: () => void };

export function uninstallCommand(cli: Cli): Command {
  const command = new Command('uninstall')
    .summary('take Keepsake off this machine')
    .description(
      'Shows what Keepsake has left on this machine outside your vault: its service, and plugins and entries in AI clients. With --yes it takes that away. Your vault is never touched.',
    )
    .option('--yes', 'take it away')
    .option(
      '--state',
      'also history, queue, indexes, models, keys and configuration, of all vaults: this cannot be undone',
    )
    .action((options: Options) => {
      const { environment } = cli;
      const traces = [
        ...services(cli),
        ...clients(cli),
        ...(options.state === true ? folders(environment) : []),
      ];
      cli.finish(options.yes === true ? removeAll(cli, traces) : show(cli, traces));
      say(cli, wayOn(environment, options));
    });
  return examples(command, ['uninstall', 'uninstall --yes', 'uninstall --yes --state']);
}

function show(cli: Cli, traces: readonly Trace[]): typeof exitCode.ok {
  say(
    cli,
    traces.length === 0 ? 'nothing of Keepsake is in your services or AI clients' : 'to be taken away:',
  );
  for (const { what } of traces) output(cli, what);
  if (traces.length > 0) say(cli, '\ntake it away with: keepsake uninstall --yes');
  return exitCode.ok;
}

/** One that fails keeps none of the others. */
function removeAll(cli: Cli, traces: readonly Trace[]): typeof exitCode.ok | typeof exitCode.errors {
  const failed = traces.filter(({ what, remove }) => {
    try {
      remove();
      output(cli, `removed ${what}`);
      return false;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      say(cli, `error: ${what}: ${describeError(error)}`);
      return true;
    }
  });
  return failed.length === 0 ? exitCode.ok : exitCode.errors;
}

function wayOn({ stateHome, configurationHome }: Environment, { state }: Options): string {
  const { vault } = readSettings(configurationHome);
  return [
    ...(state === true || !existsSync(stateHome)
      ? []
      : [`history, queue and indexes stay in ${stateHome}; with --state they go, too`]),
    `your vault stays as it is${vault === null ? '' : `: ${vault}`}`,
    'the program itself goes with: npm uninstall --global keepsake',
  ].join('\n');
}

/** As docs/operate/running.md sets them up. */
function services(cli: Cli): Trace[] {
  const { home } = cli.environment;
  const unit = join(home, '.config', 'systemd', 'user', 'keepsake.service');
  const agent = join(home, 'Library', 'LaunchAgents', 'local.keepsake.plist');
  return [
    { file: unit, stop: ['systemctl', '--user', 'disable', '--now', 'keepsake'] },
    { file: agent, stop: ['launchctl', 'bootout', `gui/${process.getuid?.() ?? ''}/local.keepsake`] },
  ]
    .filter(({ file }) => existsSync(file))
    .map(({ file, stop }) => ({
      what: `the service ${file}`,
      remove() {
        // One that does not run, or whose manager is not there, is stopped already.
        runCommand(cli, stop);
        rmSync(file);
      },
    }));
}

function clients(cli: Cli): Trace[] {
  const { environment } = cli;
  const { clients: connected } = readSettings(environment.configurationHome);
  return clientNames
    .filter((name) => connected.includes(name) || hasEntry(name, environment))
    .map((name) => ({
      what: `plugin and entry of ${name}`,
      remove: () => void disconnect(cli, name),
    }));
}

function folders({ stateHome, dataHome, configurationHome }: Environment): Trace[] {
  return [stateHome, dataHome, configurationHome]
    .filter((folder) => existsSync(folder))
    .map((folder) => ({
      what: folder,
      remove() {
        const vault = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
          (path) => basename(path) === identityFolder,
        );
        if (vault !== undefined)
          throw new AppError('bad-target', `a vault lies in it: ${join(folder, dirname(vault))}`, {
            mend: 'move it elsewhere first',
          });
        rmSync(folder, { recursive: true });
      },
    }));
}

function output({ stdout }: Cli, text: string): void {
  stdout.write(`${text}\n`);
}

function say({ stderr }: Cli, text: string): void {
  stderr.write(`${text}\n`);
}
