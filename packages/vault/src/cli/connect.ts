import { realpathSync } from 'node:fs';
import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import { AppError, chooseVault, packageVersion } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import {
  clientNamed,
  clientNames,
  entryFor,
  findClients,
  instructionsText,
  isCommand,
  isUnprotected,
  localServer,
  ownCommand,
  parseServiceUrl,
  parseVariableName,
  placeFor,
  planChange,
  pluginClients,
  portablePlugin,
  readMachine,
  runCommand,
  skillText,
  withEntry,
  writeChange,
  writePlugin,
  writePortablePlugin,
} from '../connect/index.ts';
import type { Client, Machine, PluginClient, PluginOptions, Server } from '../connect/index.ts';
import { readSettings } from '../hook/index.ts';
import { changeSettings } from '../sessions/index.ts';
import { layoutReader, openRoot, usualLayout } from '../vault/index.ts';
import type { Layout } from '../vault/index.ts';
import { examples, vaultCommand } from './command.ts';
import type { Cli, VaultOptions } from './command.ts';
import { exitCode } from './exit-code.ts';

type Options = VaultOptions & {
  write?: boolean;
  project?: string;
  readOnly?: boolean;
  byPath?: boolean;
  http?: string;
  tokenVariable: string;
  instructions?: boolean;
  agentPlugin?: string;
};

/** What is to be copied goes to standard output, what is said about it to standard error. */
export function connectCommand(cli: Cli): Command {
  const command = vaultCommand('connect')
    .summary('connect an AI client to the vault')
    .description(
      'Prints what a client needs in its configuration to reach the vault, or writes it there. Without a client: lists them.',
    )
    .addArgument(new Argument('[client]', 'which one').choices(clientNames))
    .addOption(new Option('--print', 'print it and change nothing; the default').conflicts('write'))
    .option(
      '--write',
      'install it: in Claude Code, Codex and Gemini CLI as a plugin, by their own command; elsewhere in the configuration, with a backup',
    )
    .option('--project <folder>', 'the configuration of one project instead of yours')
    .option('--read-only', 'the client may look and not write')
    .option('--by-path', 'name programs by their full paths, for a client that does not find keepsake')
    .addOption(
      new Option('--http <address>', 'reach a running service instead, as http://127.0.0.1:4319').conflicts([
        'readOnly',
        'byPath',
      ]),
    )
    .option('--token-variable <name>', 'the environment variable that holds its token', 'KEEPSAKE_TOKEN')
    .addOption(
      new Option('--instructions', "print a text that teaches the client's model how to use it").conflicts(
        'write',
      ),
    )
    .option(
      '--agent-plugin <folder>',
      'write a folder in the format Agent Plugins 1.0 there, for any client that takes it',
    )
    .action((name: string | undefined, options: Options) => {
      act(cli, name === undefined ? null : clientNamed(name), options);
      cli.finish(exitCode.ok);
    });
  return examples(command, [
    'connect',
    'connect claude-code --vault ~/vault',
    'connect cursor --write',
    'connect vscode --write --project . --read-only',
    'connect codex --http https://vault.example.org --token-variable VAULT_TOKEN',
    'connect claude-code --instructions',
  ]);
}

function act(cli: Cli, client: Client | null, options: Options): void {
  const { environment } = cli;
  const machine = readMachine(environment);
  if (options.instructions === true)
    return printInstructions(cli, client, layoutFor(options, environment), options);
  if (options.agentPlugin !== undefined) return writePortable(cli, options.agentPlugin, options);
  if (client === null) {
    if (options.write === true) throw new AppError('bad-input', `name the client: ${clientNames.join(', ')}`);
    return list(cli, machine, options);
  }
  const server = serverFor(cli, options);
  if (server.kind === 'http' && isUnprotected(server.url))
    say(
      cli,
      `warning: ${server.url} is not encrypted; whoever is on the way can read the token and your notes`,
    );
  const plugin = pluginFor(cli, client, server, options);
  if (options.write !== true) print(cli, client, server, machine, options);
  else if (plugin === null) write(cli, client, server, machine, options);
  else {
    if (!plugin.client.hasServer) write(cli, client, server, machine, options);
    installPlugin(cli, client, plugin, options);
  }
}

function serverFor(
  { environment, script }: Cli,
  { vault, state, readOnly, byPath, http, tokenVariable }: Options,
): Server {
  if (http !== undefined)
    return {
      kind: 'http',
      url: parseServiceUrl(http),
      tokenVariable: parseVariableName(tokenVariable),
    };
  return localServer({
    vault,
    state,
    isReadOnly: readOnly === true,
    byPath: byPath === true ? { program: process.execPath, script: realpathSync(script) } : null,
    environment,
  });
}

type Plugin = { client: PluginClient; options: PluginOptions };

/** For all projects of a person, where the client is here: hooks and tools together, by its own command. */
function pluginFor(cli: Cli, { name, executable }: Client, server: Server, options: Options): Plugin | null {
  const { searchPath } = cli.environment;
  const client = pluginClients[name];
  const hasCommand = executable !== null && isCommand(executable, searchPath);
  const isHere = client !== undefined && (hasCommand || !client.hasServer);
  if (!isHere || options.project !== undefined || server.kind !== 'stdio') return null;
  const [program, script] = [process.execPath, realpathSync(cli.script)];
  const isFound = server.command !== 'keepsake' || isCommand('keepsake', searchPath);
  const found = isFound ? server : { ...server, command: program, args: [script, ...server.args] };
  return {
    client,
    options: {
      version: packageVersion(),
      program: [program, script],
      server: found,
      skill: skillText(layoutFor(options, cli.environment)),
    },
  };
}

function installPlugin(cli: Cli, client: Client, plugin: Plugin, options: Options): void {
  const { environment } = cli;
  const { files, owned, install, remove, answer, isOnce } = plugin.client;
  const folder = plugin.client.folder(readMachine(environment), environment.dataHome);
  const vault = chooseVault(options.vault, environment);
  writePlugin(folder, files(plugin.options), owned);
  const isFirst = readSettings(environment.configurationHome).vault === null;
  const { capture } = changeSettings(environment, (settings) => ({
    ...settings,
    vault,
    capture: isFirst ? 'linked' : settings.capture,
    clients: [...new Set([...settings.clients, client.name])],
  }));
  if (isOnce === true) for (const command of remove) runCommand(cli, command);
  const commands = install(folder);
  for (const command of commands) {
    if (options.json !== true) say(cli, command.join(' '));
    const problem = runCommand(cli, command, answer);
    if (problem !== null) throw new AppError('bad-state', `${command.join(' ')}: ${problem}`);
  }
  // What became of the configuration is told already.
  if (options.json === true && !plugin.client.hasServer) return;
  if (options.json === true)
    return output(
      cli,
      JSON.stringify({ client: client.name, outcome: 'installed', folder, commands }, null, 2),
    );
  const tell = plugin.client.hasServer ? output : say;
  tell(cli, `${client.title} has the plugin keepsake now: its tools, and a brief when a session starts`);
  say(
    cli,
    [
      ...(client.name === 'codex'
        ? ['then, once: start codex, type /hooks and trust those of keepsake']
        : []),
      'say which project a folder belongs to: keepsake link <project>',
      capture === 'never'
        ? 'sessions are not recorded; see: keepsake config capture'
        : `what is said in ${capture === 'linked' ? 'linked folders' : 'all folders'} is recorded in the vault; not any more with: keepsake config capture never`,
      `take it away with: keepsake disconnect ${client.name}`,
    ].join('\n'),
  );
}

function writePortable(cli: Cli, folder: string, options: Options): void {
  const { environment } = cli;
  const server = serverFor(cli, options);
  if (server.kind !== 'stdio')
    throw new AppError('bad-input', 'a plugin starts keepsake mcp', { mend: 'leave out --http' });
  const skill = skillText(layoutFor(options, environment));
  writePortablePlugin(
    environment.resolve(folder),
    portablePlugin({ version: packageVersion(), server, skill }),
  );
  output(cli, `${folder} is a plugin with the tools and the skill of keepsake`);
  say(
    cli,
    'add it to a client as its documentation says; it starts keepsake by its name, so that has to be found',
  );
}

function list(cli: Cli, machine: Machine, { json }: Options): void {
  const rows = findClients(machine, cli.environment.searchPath).map(({ client, isFound }) => ({
    client: client.name,
    title: client.title,
    isFound,
    file: client.personal?.(machine) ?? null,
  }));
  if (json === true) return output(cli, JSON.stringify({ clients: rows }, null, 2));
  const lines = rows.map(
    ({ client, isFound, file }) =>
      `${client.padEnd(16)}${(isFound ? 'found' : 'not found').padEnd(11)}${file ?? 'claude mcp add, or .mcp.json in a project'}`,
  );
  output(cli, lines.join('\n'));
  say(cli, '\nconnect one with: keepsake connect <client>');
}

function print(cli: Cli, client: Client, server: Server, machine: Machine, options: Options): void {
  const { file } = placeFor(client, machine, { ...options, present: cli.cwd() });
  const text = withEntry(client, server, '');
  const command = ownCommand(client, server, machine.platform);
  if (options.json === true)
    return output(
      cli,
      JSON.stringify(
        { client: client.name, file, command, server, entry: entryFor(client, server), text },
        null,
        2,
      ),
    );
  if (command !== null)
    say(
      cli,
      `${client.title}, for all your projects${server.kind === 'http' ? ' (the token itself is stored)' : ''}:\n\n  ${command}\n\nor for one project:`,
    );
  say(cli, `${file}\n`);
  output(cli, text.trimEnd());
  say(cli, `\nwrite it there with: --write\nthen: ${client.check}`);
}

function write(cli: Cli, client: Client, server: Server, machine: Machine, options: Options): void {
  const place = placeFor(client, machine, { ...options, present: cli.cwd() });
  const change = planChange(client, server, place);
  const { outcome, file, target, isElsewhere, diff } = change;
  const isQuiet = options.json === true;
  if (isElsewhere) say(cli, `${file} is linked; the file itself is ${target}`);
  if (outcome !== 'unchanged' && !isQuiet) output(cli, diff);
  const backup = outcome === 'unchanged' ? null : writeChange(change, Date.now);
  if (isQuiet)
    return output(cli, JSON.stringify({ client: client.name, outcome, file, target, backup, diff }, null, 2));
  if (outcome === 'unchanged') return output(cli, `${file} says so already; nothing changed`);
  output(
    cli,
    `\n${outcome} ${file}${backup === null ? '' : `\nas it was: ${backup}`}\nthen: ${client.check}`,
  );
}

/** That of the vault on this machine; the usual one where there is none, or another is reached. */
function layoutFor({ vault, http }: Options, environment: Environment): Layout {
  try {
    return http === undefined ? layoutReader(openRoot(chooseVault(vault, environment)))() : usualLayout;
  } catch {
    return usualLayout;
  }
}

function printInstructions(cli: Cli, client: Client | null, layout: Layout, { json }: Options): void {
  const text = instructionsText(client, layout);
  if (json === true)
    return output(
      cli,
      JSON.stringify({ client: client?.name ?? null, place: client?.instructions ?? null, text }, null, 2),
    );
  if (client !== null) say(cli, `for ${client.instructions}\n`);
  output(cli, text.trimEnd());
}

function output({ stdout }: Cli, text: string): void {
  stdout.write(`${text}\n`);
}

function say({ stderr }: Cli, text: string): void {
  stderr.write(`${text}\n`);
}
