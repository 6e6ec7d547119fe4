import { Argument, Command } from 'commander';
import { AppError } from '../app/index.ts';
import {
  clientNamed,
  clientNames,
  placeFor,
  planChange,
  pluginClients,
  readMachine,
  removePlugin,
  runCommand,
  writeChange,
} from '../connect/index.ts';
import { readSettings } from '../hook/index.ts';
import { changeSettings } from '../sessions/index.ts';
import { examples } from './command.ts';
import type { Cli } from './command.ts';
import { exitCode } from './exit-code.ts';

export function disconnectCommand(cli: Cli): Command {
  const command = new Command('disconnect')
    .summary('take Keepsake out of an AI client')
    .description(
      "Removes what connect --write installed: the plugin, by the client's own command, and the entry in its configuration, with a backup. The vault stays as it is.",
    )
    .addArgument(new Argument('<client>', 'which one').choices(clientNames))
    .action((name: string) => {
      const removed = disconnect(cli, name);
      cli.stdout.write([...removed, `${name} is not connected any more`, ''].join('\n'));
      cli.finish(exitCode.ok);
    });
  return examples(command, ['disconnect claude-code', 'disconnect cursor']);
}

/** Takes plugin and entry away; says what it did besides. */
export function disconnect(cli: Cli, name: string): string[] {
  if (readSettings(cli.environment.configurationHome).clients.includes(name)) takePluginAway(cli, name);
  return removeEntry(cli, name);
}

function takePluginAway(cli: Cli, name: string): void {
  const { environment } = cli;
  const plugin = pluginClients[name];
  if (plugin === undefined) return;
  const failed = plugin.remove
    .map((each) => ({ each, problem: runCommand(cli, each) }))
    .find(({ problem }) => problem !== null);
  if (failed !== undefined)
    throw new AppError('bad-state', `${failed.each.join(' ')}: ${failed.problem}`, {
      mend: 'remove the plugin keepsake in the client itself',
    });
  const { clients } = changeSettings(environment, (settings) => ({
    ...settings,
    clients: settings.clients.filter((each) => each !== name),
  }));
  const machine = readMachine(environment);
  const folderOf = (each: string): string | undefined =>
    pluginClients[each]?.folder(machine, environment.dataHome);
  const folder = plugin.folder(machine, environment.dataHome);
  if (!clients.some((each) => folderOf(each) === folder)) removePlugin(folder, plugin.owned);
}

function removeEntry({ environment, cwd }: Cli, name: string): string[] {
  const client = clientNamed(name);
  // What stands elsewhere was written for one project, or by the client's own command.
  if (client.personal === null) return [];
  const place = placeFor(client, readMachine(environment), { present: cwd() });
  const change = planChange(client, null, place);
  if (change.before === null || change.outcome === 'unchanged') return [];
  const backup = writeChange(change, Date.now);
  return [`changed ${change.file}; as it was: ${backup}`];
}
