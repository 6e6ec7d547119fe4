import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from '../app/index.ts';
import { getClient } from './client.ts';
import { findEntries } from './find-entries.ts';
import { readPlatform } from './platform.ts';
import { findMissingFiles, pluginClients } from './plugin.ts';

/** A command line in a file of a client, as the client starts it. */
export type ClientCommand = {
  client: string;
  title: string;
  file: string;
  /** The event of a hook; null for the MCP server. */
  event: string | null;
  /** The line of a hook, which a shell reads; program and arguments of a server. */
  command: string | string[];
  /** The command that repairs it. */
  repair: string;
};

/** The commands of Keepsake in the plugins of these clients, and in the configuration of the user and of these folders. */
export function findClientCommands(
  environment: Environment,
  { clients, folders }: { clients: readonly string[]; folders: readonly string[] },
): ClientCommand[] {
  return [
    ...clients.flatMap((name) => findPluginCommands(environment, name)),
    ...findEntries(environment, folders).flatMap(({ client, place, name, command, claudeScope, isOwn }) =>
      command === null || !isOwn
        ? []
        : [
            {
              client: client.name,
              title: client.title,
              file: place.file,
              event: null,
              command,
              repair:
                claudeScope === null
                  ? `keepsake connect ${client.name} --write${place.isProject ? ` --project ${place.within}` : ''}`
                  : `claude mcp remove --scope ${claudeScope.scope} ${name}, then keepsake connect claude-code --write`,
            },
          ],
    ),
  ];
}

function findPluginCommands(environment: Environment, name: string): ClientCommand[] {
  const plugin = pluginClients[name];
  if (plugin === undefined) return [];
  const machine = readPlatform(environment);
  const folder = plugin.folder(machine, environment.dataHome);
  const shared = { client: name, title: getClient(name).title, repair: 'keepsake reconnect' };
  // The plugin of Claude Code is in a folder of its marketplace.
  return (plugin.installed?.(machine) ?? [folder, join(folder, 'keepsake')]).flatMap((place) => {
    const file = (path: string): string => join(place, path);
    return [
      ...readHooks(file('hooks/hooks.json')).map((hook) => ({
        ...shared,
        ...hook,
        file: file('hooks/hooks.json'),
      })),
      ...['.mcp.json', 'gemini-extension.json'].flatMap((path) =>
        readServer(file(path)).map((command) => ({ ...shared, file: file(path), event: null, command })),
      ),
    ];
  });
}

/** A plugin of a client without files that the client needs to load it: nothing of Keepsake starts, and no command line says so. */
export type IncompletePlugin = { client: string; title: string; folder: string; missing: string[] };

/** The plugins of these clients that lack files. */
export function findIncompletePlugins(
  environment: Environment,
  clients: readonly string[],
): IncompletePlugin[] {
  const machine = readPlatform(environment);
  return clients.flatMap((name) => {
    const plugin = pluginClients[name];
    if (plugin === undefined) return [];
    const folder = plugin.folder(machine, environment.dataHome);
    const folders = plugin.installed?.(machine) ?? [folder];
    // Only the paths matter, which do not depend on the options.
    const files = plugin.files({
      version: '',
      launcher: '',
      program: [],
      server: { kind: 'stdio', command: '', args: [] },
      skill: '',
    });
    const missing = findMissingFiles(folders, Object.keys(files));
    if (missing.length === 0) return [];
    return [{ client: name, title: getClient(name).title, folder: folders[0] ?? folder, missing }];
  });
}

type Hook = { command?: unknown; hooks?: { command?: unknown }[] };

/** The hooks of a file in the form of Claude Code, with groups, or of Cursor. */
function readHooks(file: string): { event: string; command: string }[] {
  const { hooks = {} } = (readJson(file) ?? {}) as { hooks?: Record<string, Hook[]> };
  return Object.entries(hooks).flatMap(([event, groups]) =>
    groups
      .flatMap((group) => [group, ...(group.hooks ?? [])])
      .flatMap(({ command }) => (typeof command === 'string' ? [{ event, command }] : [])),
  );
}

function readServer(file: string): string[][] {
  const { mcpServers } = (readJson(file) ?? {}) as {
    mcpServers?: { keepsake?: { command: string; args: string[] } };
  };
  return mcpServers?.keepsake === undefined
    ? []
    : [[mcpServers.keepsake.command, ...mcpServers.keepsake.args]];
}

function readJson(file: string): unknown {
  try {
    return existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
  } catch {
    return null;
  }
}
