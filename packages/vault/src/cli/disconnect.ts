import { Argument, Command } from 'commander';
import { AppError } from '../app/index.ts';
import {
  getClient,
  clientNames,
  findEntries,
  resolveConfigLocation,
  planConfigChange,
  pluginClients,
  readPlatform,
  removePlugin,
  runCommand,
  writeConfigChange,
} from '../connect/index.ts';
import { readSettings } from '../hook/index.ts';
import { updateSettings } from '../sessions/index.ts';
import { withExamples } from './command.ts';
import type { Cli } from './command.ts';
import { disconnectMemory } from './connect-memory.ts';
import { exitCode } from './exit-code.ts';
import { printText } from './print-outcome.ts';

export function disconnectCommand(cli: Cli): Command {
  const command = new Command('disconnect')
    .summary('disconnect an AI client')
    .description(
      "Remove what connect --write installed: the plugin, and the entry in the client's configuration file (backed up first). The vault is unchanged.",
    )
    .addArgument(new Argument('<client>', 'AI client').choices(clientNames))
    .action((name: string) => {
      const { clients } = readSettings(cli.environment.configurationHome);
      const removed = disconnect(cli, name);
      const wasConnected = clients.includes(name) || removed.length > 0;
      const result = wasConnected
        ? `disconnected ${name}`
        : `nothing to disconnect: ${name} has no plugin and no entry of Keepsake in your configuration`;
      printText(cli, [...removed, result].join('\n'));
      cli.finish(exitCode.ok);
    });
  return withExamples(command, ['disconnect claude-code', 'disconnect cursor']);
}

/** Removes the plugin and the configuration entry of a client. Returns messages about changed files. */
export function disconnect(cli: Cli, name: string): string[] {
  if (readSettings(cli.environment.configurationHome).clients.includes(name)) removeClientPlugin(cli, name);
  return [...(name === 'claude-code' ? disconnectMemory(cli) : []), ...removeEntry(cli, name)];
}

function removeClientPlugin(cli: Cli, name: string): void {
  const { environment } = cli;
  const plugin = pluginClients[name];
  if (plugin === undefined) return;
  const failed = plugin.remove
    .map((each) => ({ each, problem: runCommand(cli, each) }))
    .find(({ problem }) => problem !== null);
  if (failed !== undefined)
    throw new AppError('bad-state', `${failed.each.join(' ')}: ${failed.problem}`, {
      hint: 'remove the keepsake plugin in the client itself',
    });
  const { clients } = updateSettings(environment, (settings) => ({
    ...settings,
    clients: settings.clients.filter((each) => each !== name),
  }));
  const machine = readPlatform(environment);
  const folderOf = (each: string): string | undefined =>
    pluginClients[each]?.folder(machine, environment.dataHome);
  const folder = plugin.folder(machine, environment.dataHome);
  if (!clients.some((each) => folderOf(each) === folder)) removePlugin(folder, plugin.ownedPath);
}

function removeEntry({ environment, cwd }: Cli, name: string): string[] {
  const client = getClient(name);
  // Without a user configuration file, the entry is in a single project or was added by the client's own command.
  if (client.userConfigFile === null) return [];
  const other = findEntries(environment, []).find((entry) => entry.client === client && !entry.isOwn);
  if (other !== undefined)
    return [`the entry keepsake in ${other.place.file} starts another program and was left alone`];
  const place = resolveConfigLocation(client, readPlatform(environment), { present: cwd() });
  const change = planConfigChange(client, null, place);
  if (change.before === null || change.outcome === 'unchanged') return [];
  const backup = writeConfigChange(change, Date.now);
  return [`changed ${change.file}; backup: ${backup}`];
}
