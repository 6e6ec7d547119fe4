import { realpathSync } from 'node:fs';
import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import { AppError, resolveVault, readPackageVersion } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import {
  getClient,
  clientNames,
  createEntry,
  detectClients,
  buildInstructions,
  isOnPath,
  isPlaintextUrl,
  createStdioServer,
  formatAddCommand,
  parseServiceUrl,
  parseVariableName,
  resolveConfigLocation,
  planConfigChange,
  pluginClients,
  createPortablePlugin,
  readPlatform,
  runCommand,
  buildSkill,
  addEntry,
  writeConfigChange,
  writePlugin,
  writePortablePlugin,
} from '../connect/index.ts';
import type { Client, Platform, PluginClient, PluginOptions, ServerEndpoint } from '../connect/index.ts';
import { readSettings } from '../hook/index.ts';
import { updateSettings } from '../sessions/index.ts';
import { createLayoutReader, resolveRoot, defaultLayout } from '../vault/index.ts';
import type { Layout } from '../vault/index.ts';
import { withExamples, vaultCommand } from './command.ts';
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

/** Standard output gets only the text to copy; notes about it go to standard error. */
export function connectCommand(cli: Cli): Command {
  const command = vaultCommand('connect')
    .summary('connect an AI client to the vault')
    .description(
      'Print the configuration that connects an AI client to the vault, or write it with --write. Without a client, list the supported ones.',
    )
    .addArgument(new Argument('[client]', 'AI client').choices(clientNames))
    .addOption(new Option('--print', 'print the configuration (default)').conflicts('write'))
    .option(
      '--write',
      "install it: as a plugin for Claude Code, Codex and Gemini CLI, otherwise in the client's configuration file (backed up first)",
    )
    .option(
      '--project <folder>',
      'use the project configuration in this folder instead of the user configuration',
    )
    .option('--read-only', 'read-only access')
    .option('--by-path', 'use absolute paths, for clients that cannot find keepsake on PATH')
    .addOption(
      new Option(
        '--http <address>',
        'connect to a running server, for example http://127.0.0.1:4319',
      ).conflicts(['readOnly', 'byPath']),
    )
    .option('--token-variable <name>', 'environment variable with the token', 'KEEPSAKE_TOKEN')
    .addOption(new Option('--instructions', "print instructions for the client's model").conflicts('write'))
    .option('--agent-plugin <folder>', 'write an Agent Plugins 1.0 package to this folder')
    .action((name: string | undefined, options: Options) => {
      runConnect(cli, name === undefined ? null : getClient(name), options);
      cli.finish(exitCode.ok);
    });
  return withExamples(command, [
    'connect',
    'connect claude-code --vault ~/vault',
    'connect cursor --write',
    'connect vscode --write --project . --read-only',
    'connect codex --http https://vault.example.org --token-variable VAULT_TOKEN',
    'connect claude-code --instructions',
  ]);
}

function runConnect(cli: Cli, client: Client | null, options: Options): void {
  const { environment } = cli;
  const machine = readPlatform(environment);
  if (options.instructions === true)
    return printInstructions(cli, client, resolveLayout(options, environment), options);
  if (options.agentPlugin !== undefined) return writePortableFolder(cli, options.agentPlugin, options);
  if (client === null) {
    if (options.write === true)
      throw new AppError('bad-input', `missing client; one of ${clientNames.join(', ')}`);
    return listClients(cli, machine, options);
  }
  const server = serverFor(cli, options);
  if (server.kind === 'http' && isPlaintextUrl(server.url))
    printNote(cli, `warning: ${server.url} is not encrypted; the token and your notes can be intercepted`);
  const plugin = pluginFor(cli, client, server, options);
  if (options.write !== true) printConfiguration(cli, client, server, machine, options);
  else if (plugin === null) writeConfigurationFile(cli, client, server, machine, options);
  else {
    if (!plugin.client.includesServer) writeConfigurationFile(cli, client, server, machine, options);
    installPlugin(cli, client, plugin, options);
  }
}

function serverFor(
  { environment, script }: Cli,
  { vault, state, readOnly, byPath, http, tokenVariable }: Options,
): ServerEndpoint {
  if (http !== undefined)
    return {
      kind: 'http',
      url: parseServiceUrl(http),
      tokenVariable: parseVariableName(tokenVariable),
    };
  return createStdioServer({
    vault,
    state,
    isReadOnly: readOnly === true,
    absoluteCommand: byPath === true ? { program: process.execPath, script: realpathSync(script) } : null,
    environment,
  });
}

type Plugin = { client: PluginClient; options: PluginOptions };

/**
 * The plugin with hooks and tools for all projects of the user; null if the client is not installed or has no plugin,
 * and for a single project or a remote server.
 */
function pluginFor(
  cli: Cli,
  { name, executable }: Client,
  server: ServerEndpoint,
  options: Options,
): Plugin | null {
  const { searchPath } = cli.environment;
  const client = pluginClients[name];
  const hasCommand = executable !== null && isOnPath(executable, searchPath);
  const isHere = client !== undefined && (hasCommand || !client.includesServer);
  if (!isHere || options.project !== undefined || server.kind !== 'stdio') return null;
  const [program, script] = [process.execPath, realpathSync(cli.script)];
  const isFound = server.command !== 'keepsake' || isOnPath('keepsake', searchPath);
  const found = isFound ? server : { ...server, command: program, args: [script, ...server.args] };
  return {
    client,
    options: {
      version: readPackageVersion(),
      program: [program, script],
      server: found,
      skill: buildSkill(resolveLayout(options, cli.environment)),
    },
  };
}

function installPlugin(cli: Cli, client: Client, plugin: Plugin, options: Options): void {
  const { environment } = cli;
  const { files, ownedPath, install, remove, promptAnswer, mustReinstall } = plugin.client;
  const folder = plugin.client.folder(readPlatform(environment), environment.dataHome);
  const vault = resolveVault(options.vault, environment);
  writePlugin(folder, files(plugin.options), ownedPath);
  const isFirst = readSettings(environment.configurationHome).vault === null;
  const { capture } = updateSettings(environment, (settings) => ({
    ...settings,
    vault,
    capture: isFirst ? 'linked' : settings.capture,
    clients: [...new Set([...settings.clients, client.name])],
  }));
  if (mustReinstall === true) for (const command of remove) runCommand(cli, command);
  const commands = install(folder);
  for (const command of commands) {
    if (options.json !== true) printNote(cli, command.join(' '));
    const problem = runCommand(cli, command, promptAnswer);
    if (problem !== null) throw new AppError('bad-state', `${command.join(' ')}: ${problem}`);
  }
  // `writeConfigurationFile` has already printed the result.
  if (options.json === true && !plugin.client.includesServer) return;
  if (options.json === true)
    return output(
      cli,
      JSON.stringify({ client: client.name, outcome: 'installed', folder, commands }, null, 2),
    );
  const printResult = plugin.client.includesServer ? output : printNote;
  printResult(cli, `installed the keepsake plugin in ${client.title}: tools, and a brief at session start`);
  printNote(
    cli,
    [
      ...(client.name === 'codex'
        ? ['then, once: start codex, type /hooks and trust the keepsake hooks']
        : []),
      'link a folder to a project with: keepsake link <project>',
      capture === 'never'
        ? 'sessions are not recorded; turn on with: keepsake config capture linked'
        : `sessions in ${capture === 'linked' ? 'linked folders' : 'all folders'} are recorded; turn off with: keepsake config capture never`,
      `remove it with: keepsake disconnect ${client.name}`,
    ].join('\n'),
  );
}

function writePortableFolder(cli: Cli, folder: string, options: Options): void {
  const { environment } = cli;
  const server = serverFor(cli, options);
  if (server.kind !== 'stdio')
    throw new AppError('bad-input', 'a plugin starts keepsake mcp and cannot use an HTTP server', {
      hint: 'omit --http',
    });
  const skill = buildSkill(resolveLayout(options, environment));
  writePortablePlugin(
    environment.resolve(folder),
    createPortablePlugin({ version: readPackageVersion(), server, skill }),
  );
  output(cli, `wrote a plugin with the tools and the skill of keepsake to ${folder}`);
  printNote(cli, 'install it as the documentation of your client describes; it requires keepsake on PATH');
}

function listClients(cli: Cli, machine: Platform, { json }: Options): void {
  const rows = detectClients(machine, cli.environment.searchPath).map(({ client, isFound }) => ({
    client: client.name,
    title: client.title,
    isFound,
    file: client.userConfigFile?.(machine) ?? null,
  }));
  if (json === true) return output(cli, JSON.stringify({ clients: rows }, null, 2));
  const lines = rows.map(
    ({ client, isFound, file }) =>
      `${client.padEnd(16)}${(isFound ? 'found' : 'not found').padEnd(11)}${file ?? 'claude mcp add, or .mcp.json in a project'}`,
  );
  output(cli, lines.join('\n'));
  printNote(cli, '\nconnect one with: keepsake connect <client>');
}

function printConfiguration(
  cli: Cli,
  client: Client,
  server: ServerEndpoint,
  machine: Platform,
  options: Options,
): void {
  const { file } = resolveConfigLocation(client, machine, { ...options, present: cli.cwd() });
  const text = addEntry(client, server, '');
  const command = formatAddCommand(client, server, machine.platform);
  if (options.json === true)
    return output(
      cli,
      JSON.stringify(
        { client: client.name, file, command, server, entry: createEntry(client, server), text },
        null,
        2,
      ),
    );
  if (command !== null)
    printNote(
      cli,
      `${client.title}, for all projects${server.kind === 'http' ? ' (the token itself is stored)' : ''}:\n\n  ${command}\n\nor for a single project:`,
    );
  printNote(cli, `${file}\n`);
  output(cli, text.trimEnd());
  printNote(cli, `\nwrite it with: --write\nthen: ${client.verifyHint}`);
}

function writeConfigurationFile(
  cli: Cli,
  client: Client,
  server: ServerEndpoint,
  machine: Platform,
  options: Options,
): void {
  const place = resolveConfigLocation(client, machine, { ...options, present: cli.cwd() });
  const change = planConfigChange(client, server, place);
  const { outcome, file, target, isElsewhere, diff } = change;
  const isQuiet = options.json === true;
  if (isElsewhere) printNote(cli, `${file} is a symbolic link to ${target}`);
  if (outcome !== 'unchanged' && !isQuiet) output(cli, diff);
  const backup = outcome === 'unchanged' ? null : writeConfigChange(change, Date.now);
  if (isQuiet)
    return output(cli, JSON.stringify({ client: client.name, outcome, file, target, backup, diff }, null, 2));
  if (outcome === 'unchanged') return output(cli, `${file} is already up to date`);
  output(
    cli,
    `\n${outcome} ${file}${backup === null ? '' : `\nbackup: ${backup}`}\nthen: ${client.verifyHint}`,
  );
}

/** The layout of the local vault; the default one when there is none, or when the server is remote. */
function resolveLayout({ vault, http }: Options, environment: Environment): Layout {
  try {
    return http === undefined
      ? createLayoutReader(resolveRoot(resolveVault(vault, environment)))()
      : defaultLayout;
  } catch {
    return defaultLayout;
  }
}

function printInstructions(cli: Cli, client: Client | null, layout: Layout, { json }: Options): void {
  const text = buildInstructions(client, layout);
  if (json === true)
    return output(
      cli,
      JSON.stringify({ client: client?.name ?? null, place: client?.instructions ?? null, text }, null, 2),
    );
  if (client !== null) printNote(cli, `for ${client.instructions}\n`);
  output(cli, text.trimEnd());
}

function output({ stdout }: Cli, text: string): void {
  stdout.write(`${text}\n`);
}

function printNote({ stderr }: Cli, text: string): void {
  stderr.write(`${text}\n`);
}
