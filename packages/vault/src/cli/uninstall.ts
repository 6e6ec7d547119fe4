import { existsSync, readdirSync, rmSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { Command } from 'commander';
import { AppError } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { clientNames, findEntries, runCommand } from '../connect/index.ts';
import { describeError } from '../contract/index.ts';
import { isSingleExecutable, launcherFile, programsFolder } from '../executable/index.ts';
import { readSettings } from '../hook/index.ts';
import { identityFolder } from '../vault/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';
import { disconnect } from './disconnect.ts';
import { exitCode } from './exit-code.ts';
import { note, printText } from './print-outcome.ts';

type Options = { yes?: boolean; state?: boolean };

/** Something that Keepsake has installed on this machine. `remove` throws when it cannot be removed. */
type Installation = { label: string; remove: () => void };

export function uninstallCommand(cli: Cli): Command {
  const command = new Command('uninstall')
    .summary('remove Keepsake from this machine')
    .description(
      'Show what Keepsake has installed outside your vault: its service, and plugins and entries in AI clients. Removes it with --yes. Your vault is never touched.',
    )
    .option('--yes', 'remove it')
    .option(
      '--state',
      'also delete history, queue, indexes, models, keys and configuration of all vaults; cannot be undone',
    )
    .action((options: Options) => {
      const { environment } = cli;
      const installations = [
        ...findServices(cli),
        ...findConnectedClients(cli),
        ...findLauncher(environment),
        ...(options.state === true ? findDataFolders(environment) : []),
      ];
      cli.finish(options.yes === true ? removeAll(cli, installations) : show(cli, installations));
      note(cli, formatNextSteps(environment, options));
    });
  return withExamples(command, ['uninstall', 'uninstall --yes', 'uninstall --yes --state']);
}

function show(cli: Cli, traces: readonly Installation[]): typeof exitCode.ok {
  note(cli, traces.length === 0 ? 'nothing to remove' : 'will be removed:');
  for (const { label } of traces) printText(cli, label);
  if (traces.length > 0) note(cli, '\nremove it with: keepsake uninstall --yes');
  return exitCode.ok;
}

/** Removes everything; a failure does not stop the rest. */
function removeAll(cli: Cli, traces: readonly Installation[]): typeof exitCode.ok | typeof exitCode.errors {
  const failed = traces.filter(({ label, remove }) => {
    try {
      remove();
      printText(cli, `removed ${label}`);
      return false;
    } catch (error) {
      if (!(error instanceof AppError)) throw error;
      note(cli, `error: ${label}: ${describeError(error)}`);
      return true;
    }
  });
  return failed.length === 0 ? exitCode.ok : exitCode.errors;
}

function formatNextSteps(
  { stateHome, configurationHome, cacheHome }: Environment,
  { state }: Options,
): string {
  const { vault } = readSettings(configurationHome);
  return [
    ...(state === true || !existsSync(stateHome)
      ? []
      : [`history, queue and indexes stay in ${stateHome}; delete them with --state`]),
    `your vault is unchanged${vault === null ? '' : `: ${vault}`}`,
    isSingleExecutable()
      ? `remove the program itself with your package manager, or delete ${process.execPath} and ${programsFolder(cacheHome)}`
      : 'remove the program itself with: npm uninstall --global keepsake-vault',
  ].join('\n');
}

/** The services that docs/operate/running.md describes. */
function findServices(cli: Cli): Installation[] {
  if (process.platform === 'win32') return findScheduledTask(cli);
  const { home } = cli.environment;
  const unit = join(home, '.config', 'systemd', 'user', 'keepsake.service');
  const agent = join(home, 'Library', 'LaunchAgents', 'local.keepsake.plist');
  return [
    { file: unit, stop: ['systemctl', '--user', 'disable', '--now', 'keepsake'] },
    { file: agent, stop: ['launchctl', 'bootout', `gui/${process.getuid?.() ?? ''}/local.keepsake`] },
  ]
    .filter(({ file }) => existsSync(file))
    .map(({ file, stop }) => ({
      label: `service ${file}`,
      remove() {
        // The result is ignored: the service may not be running, or its manager may be missing.
        runCommand(cli, stop);
        rmSync(file);
      },
    }));
}

function findScheduledTask(cli: Cli): Installation[] {
  const task = ['/TN', 'Keepsake'];
  if (runCommand(cli, ['schtasks', '/Query', ...task]) !== null) return [];
  return [
    {
      label: 'scheduled task Keepsake',
      remove() {
        // The result is ignored: the task may not be running.
        runCommand(cli, ['schtasks', '/End', ...task]);
        const problem = runCommand(cli, ['schtasks', '/Delete', ...task, '/F']);
        if (problem !== null) throw new AppError('bad-target', `schtasks failed: ${problem}`);
      },
    },
  ];
}

function findConnectedClients(cli: Cli): Installation[] {
  const { environment } = cli;
  const { clients: connected, memoryFiles } = readSettings(environment.configurationHome);
  const entries = findEntries(environment, []);
  const isConfigured = (name: string): boolean =>
    entries.some(({ client, isOwn, claudeScope }) => client.name === name && isOwn && claudeScope === null);
  return clientNames
    .filter(
      (name) =>
        connected.includes(name) || isConfigured(name) || (name === 'claude-code' && memoryFiles.length > 0),
    )
    .map((name) => ({
      label: `plugin and configuration entry of ${name}`,
      remove: () => void disconnect(cli, name),
    }));
}

function findLauncher({ dataHome }: Environment): Installation[] {
  const file = launcherFile(dataHome);
  return existsSync(file) ? [{ label: file, remove: () => rmSync(file) }] : [];
}

function findDataFolders({ stateHome, dataHome, configurationHome }: Environment): Installation[] {
  return [stateHome, dataHome, configurationHome]
    .filter((folder) => existsSync(folder))
    .map((folder) => ({
      label: folder,
      remove() {
        const vault = readdirSync(folder, { recursive: true, encoding: 'utf8' }).find(
          (path) => basename(path) === identityFolder,
        );
        if (vault !== undefined)
          throw new AppError('bad-target', `it contains a vault: ${join(folder, dirname(vault))}`, {
            hint: 'move the vault first',
          });
        rmSync(folder, { recursive: true });
      },
    }));
}
