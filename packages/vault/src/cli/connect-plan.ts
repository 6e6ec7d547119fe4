import { dirname } from 'node:path';
import { AppError, openVaultRoot, readPackageVersion, resolveVault } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import {
  buildSkill,
  createStdioServer,
  isOnPath,
  parseServiceUrl,
  parseVariableName,
  planConfigChange,
  pluginClients,
  readPlatform,
  resolveConfigLocation,
  isInstalled,
  readPluginArguments,
  runCommand,
  writeConfigChange,
  writePlugin,
} from '../connect/index.ts';
import type { Client, PluginClient, PluginFiles, ServerEndpoint } from '../connect/index.ts';
import { launcherFile, ownCommand, writeLauncher } from '../executable/index.ts';
import { readSettings } from '../hook/index.ts';
import type { CaptureMode } from '../hook/index.ts';
import { updateSettings } from '../sessions/index.ts';
import { createLayoutReader, defaultLayout } from '../vault/index.ts';
import type { Layout } from '../vault/index.ts';
import type { Cli, VaultOptions } from './command.ts';

export type ConnectionTarget = VaultOptions & {
  project?: string;
  readOnly?: boolean;
  byPath?: boolean;
  http?: string;
  tokenVariable: string;
};

/** Everything that connecting a client changes on this machine. */
export type ConnectionPlan = {
  client: Client;
  server: ServerEndpoint;
  /** The configuration file that gets the server; null if the plugin includes it. */
  file: string | null;
  /** Why only sessions in one folder see the server; null if all of them do. */
  onlyIn: { folder: string; reason: 'requested' | 'no-command' } | null;
  plugin: PluginPlan | null;
};

type PluginPlan = {
  folder: string;
  files: PluginFiles;
  ownedPath: string | undefined;
  /** Commands that remove an older version; their failure is ignored. */
  before: string[][];
  commands: string[][];
  promptAnswer: string | undefined;
  /** The mode of recording afterwards. */
  capture: CaptureMode;
};

/** Plans the connection of a client without changing anything. */
export function planConnection(cli: Cli, client: Client, target: ConnectionTarget): ConnectionPlan {
  const server = serverFor(cli, target);
  const plugin = planPlugin(cli, client, server, target);
  const hasEntry = plugin === null || !pluginClients[client.name]?.includesServer;
  const place = hasEntry ? locate(cli, client, target) : null;
  return {
    client,
    server,
    plugin,
    file: place?.file ?? null,
    onlyIn:
      place?.isProject === true
        ? { folder: place.within, reason: target.project === undefined ? 'no-command' : 'requested' }
        : null,
  };
}

function locate(
  cli: Cli,
  client: Client,
  { project }: ConnectionTarget,
): ReturnType<typeof resolveConfigLocation> {
  return resolveConfigLocation(client, readPlatform(cli.environment), { project, present: cli.cwd() });
}

export function serverFor(
  { environment, script }: Cli,
  { vault, state, readOnly, byPath, http, tokenVariable }: ConnectionTarget,
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
    absoluteCommand: byPath === true ? launcherCommand({ environment, script }) : null,
    environment,
  });
}

/**
 * The plugin with hooks and tools for all projects of the user; null if the client is not installed or has no plugin,
 * and for a single project or a remote server.
 */
function planPlugin(
  cli: Cli,
  { name, executable }: Client,
  server: ServerEndpoint,
  target: ConnectionTarget,
): PluginPlan | null {
  const { searchPath } = cli.environment;
  const client: PluginClient | undefined = pluginClients[name];
  const hasCommand = executable !== null && isOnPath(executable, searchPath);
  if (client === undefined || !(hasCommand || !client.includesServer)) return null;
  if (target.project !== undefined || server.kind !== 'stdio') return null;
  return createPluginPlan(cli, client, server, target);
}

function createPluginPlan(
  cli: Cli,
  client: PluginClient,
  server: Extract<ServerEndpoint, { kind: 'stdio' }>,
  target: ConnectionTarget,
): PluginPlan {
  const { searchPath, dataHome, configurationHome } = cli.environment;
  const [command = '', ...before] = launcherCommand(cli);
  const isFound = server.command !== 'keepsake' || isOnPath('keepsake', searchPath);
  const found = isFound ? server : { ...server, command, args: [...before, ...server.args] };
  const skill = buildSkill(resolveLayout(target, cli.environment));
  const folder = client.folder(readPlatform(cli.environment), dataHome);
  const { vault, capture } = readSettings(configurationHome);
  return {
    folder,
    files: client.files({
      version: readPackageVersion(),
      launcher: launcherFile(dataHome),
      program: launcherCommand(cli),
      server: found,
      skill,
    }),
    ownedPath: client.ownedPath,
    before: client.mustReinstall === true ? client.remove : [],
    commands: client.install(folder),
    promptAnswer: client.promptAnswer,
    capture: vault === null ? 'linked' : capture,
  };
}

/** Whether everything that the plan does was done before, for the same vault. */
export function isApplied(
  cli: Cli,
  { client, server, file, plugin }: ConnectionPlan,
  target: ConnectionTarget,
): boolean {
  const { clients, vault } = readSettings(cli.environment.configurationHome);
  if (
    plugin !== null &&
    !(clients.includes(client.name) && vault === resolveVault(target.vault, cli.environment))
  )
    return false;
  try {
    return (
      file === null || planConfigChange(client, server, locate(cli, client, target)).outcome === 'unchanged'
    );
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}

/** The result of applying a plan, for JSON output. */
export type ConnectionResult = {
  client: string;
  outcome: 'created' | 'changed' | 'unchanged' | 'installed';
  [detail: string]: unknown;
};

/** Where the progress of a connection is printed: changes of files as results, commands as notes. */
export type ConnectionPrinter = { result: (text: string) => void; note: (text: string) => void };

/** Does what the plan says. */
export function applyConnection(
  cli: Cli,
  plan: ConnectionPlan,
  target: ConnectionTarget,
  print: ConnectionPrinter,
): ConnectionResult {
  const { client, plugin } = plan;
  if (plugin !== null || target.byPath === true) ensureLauncher(cli);
  const entry = plan.file === null ? null : writeEntry(cli, plan, target, print);
  if (plugin === null) return { client: client.name, outcome: 'unchanged', ...entry };
  const { environment } = cli;
  installPlugin(cli, plugin, print.note);
  // After the commands: a client counts as connected once they have succeeded.
  const vault = resolveVault(target.vault, environment);
  updateSettings(environment, (settings) => ({
    ...settings,
    vault,
    capture: plugin.capture,
    clients: [...new Set([...settings.clients, client.name])],
  }));
  return {
    client: client.name,
    outcome: 'installed',
    folder: plugin.folder,
    commands: plugin.commands,
    ...entry,
  };
}

/** The command that AI tools start, which an update of Node.js or Keepsake leaves valid. Windows starts a script only in a shell. */
function launcherCommand({ environment, script }: Pick<Cli, 'environment' | 'script'>): string[] {
  return process.platform === 'win32'
    ? ownCommand(script, environment.searchPath)
    : [launcherFile(environment.dataHome)];
}

/** Writes the launcher that entries and hooks may name. */
export function ensureLauncher({ environment, script }: Cli): void {
  const { dataHome, home, searchPath } = environment;
  writeLauncher({ dataHome, home, program: ownCommand(script, searchPath), version: readPackageVersion() });
}

function installPlugin(cli: Cli, plugin: PluginPlan, note: (text: string) => void): void {
  writePlugin(plugin.folder, plugin.files, plugin.ownedPath);
  for (const command of plugin.before) runCommand(cli, command);
  for (const command of plugin.commands) {
    note(command.join(' '));
    const problem = runCommand(cli, command, plugin.promptAnswer);
    if (problem !== null) throw new AppError('bad-state', `${command.join(' ')}: ${problem}`);
  }
}

/** Installs the plugin of a connected client again, for a vault at another path, with the options of the installed one. */
export function reinstallPlugin(cli: Cli, name: string, vault: string): void {
  ensureLauncher(cli);
  const plan = planReinstallation(cli, name, vault);
  if (plan !== null) installPlugin(cli, plan, () => undefined);
}

/** Whether a client reads the plugin that would be installed for this vault. */
export function isPluginCurrent(cli: Cli, name: string, vault: string): boolean {
  const plan = planReinstallation(cli, name, vault);
  const folders = pluginClients[name]?.installed?.(readPlatform(cli.environment));
  return plan === null || isInstalled(folders ?? [plan.folder], plan.files);
}

function planReinstallation(cli: Cli, name: string, vault: string): PluginPlan | null {
  const client = pluginClients[name];
  if (client === undefined) return null;
  const folder = client.folder(readPlatform(cli.environment), cli.environment.dataHome);
  const args = readPluginArguments(folder);
  const state = args[args.indexOf('--state') + 1];
  const target: ConnectionTarget = {
    vault,
    ...(args.includes('--state') && state !== undefined && { state }),
    readOnly: args.includes('--read-only'),
    tokenVariable: '',
  };
  const server = serverFor(cli, target);
  return server.kind === 'stdio' ? createPluginPlan(cli, client, server, target) : null;
}

function writeEntry(
  cli: Cli,
  { client, server }: ConnectionPlan,
  target: ConnectionTarget,
  print: ConnectionPrinter,
): ConnectionResult {
  const change = planConfigChange(client, server, locate(cli, client, target));
  const { outcome, file, target: real, isElsewhere, diff } = change;
  if (isElsewhere) print.note(`${file} is a symbolic link to ${real}`);
  if (outcome !== 'unchanged') print.result(diff);
  const backup = outcome === 'unchanged' ? null : writeConfigChange(change, Date.now);
  print.result(
    outcome === 'unchanged'
      ? `${file} is already up to date`
      : `\n${outcome} ${file}${backup === null ? '' : `\nbackup: ${backup}`}\nthen: ${client.verifyHint}`,
  );
  return { client: client.name, outcome, file, target: real, backup, diff };
}

/** What a plan does, one line each: where it applies, files, commands and recording. */
export function describePlan({ client, file, onlyIn, plugin }: ConnectionPlan): string[] {
  const scope =
    onlyIn === null
      ? 'applies to all your projects'
      : `applies only to sessions in ${onlyIn.folder}${
          onlyIn.reason === 'no-command' ? ` (the command ${client.executable} was not found)` : ''
        }`;
  const hooks = plugin === null ? [] : listHookEvents(plugin.files);
  return [
    ...(file === null ? [] : [`changes ${file} (a backup stays in ${dirname(file)})`]),
    ...(plugin === null
      ? []
      : [
          `writes a plugin to ${plugin.folder}: ${Object.keys(plugin.files).join(', ')}`,
          ...[...plugin.before, ...plugin.commands].map((command) => `runs ${command.join(' ')}`),
          `adds a brief at session start${hooks.length === 0 ? '' : ` and the hooks ${hooks.join(', ')}`}`,
          describeCapture(plugin.capture),
        ]),
    scope,
    `takes effect ${client.takesEffect}`,
  ];
}

export function describeCapture(capture: CaptureMode): string {
  return capture === 'never'
    ? 'sessions are not recorded; turn on with: keepsake config capture linked'
    : `sessions in ${capture === 'linked' ? 'linked folders' : 'all folders'} are recorded; turn off with: keepsake config capture never`;
}

/** The events in the hook file of a plugin. */
function listHookEvents(files: PluginFiles): string[] {
  return Object.entries(files)
    .filter(([path]) => path.endsWith('hooks/hooks.json'))
    .flatMap(([, content]) => Object.keys((content as { hooks: object }).hooks));
}

/** The layout of the local vault; the default one when there is none, or when the server is remote. */
export function resolveLayout(
  { vault, http }: Pick<ConnectionTarget, 'vault' | 'http'>,
  environment: Environment,
): Layout {
  try {
    return http === undefined ? createLayoutReader(openVaultRoot({ vault, environment }))() : defaultLayout;
  } catch {
    return defaultLayout;
  }
}
