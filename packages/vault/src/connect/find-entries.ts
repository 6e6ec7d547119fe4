import { existsSync, readFileSync } from 'node:fs';
import { isAbsolute } from 'node:path';
import type { Environment } from '../app/index.ts';
import { clients, getClient } from './client.ts';
import type { Client } from './client.ts';
import { planFileChange } from './config-change.ts';
import type { ConfigChange } from './config-change.ts';
import { resolveConfigLocation } from './config-location.ts';
import type { ConfigLocation } from './config-location.ts';
import { parseJsonTree } from './json-tree.ts';
import { getPathModule, readPlatform } from './platform.ts';
import { entryName } from './server.ts';
import { parseToml, parseTomlStatements } from './toml-statements.ts';

/** An MCP server that a client starts or calls, from one of its configuration files. */
export type ClientEntry = {
  client: Client;
  place: ConfigLocation;
  name: string;
  /** Program and arguments; null for a server that is reached over HTTP. */
  command: string[] | null;
  /** Whether the command starts Keepsake; true for a server that is reached over HTTP. */
  isOwn: boolean;
  /** The entry as it is in the file. */
  definition: unknown;
  /** The folder for which Claude Code stores the entry in its own file, which only its command may change; null for other files. */
  claudeScope: { scope: 'user' | 'local'; folder: string } | null;
};

/**
 * The entries named keepsake, and others that start Keepsake, in the configuration of the user and of these project folders. Files
 * that cannot be read or parsed have none.
 */
export function findEntries(environment: Environment, folders: readonly string[]): ClientEntry[] {
  const places = listConfigFiles(environment, folders);
  const entries = places.flatMap(({ client, place }) =>
    readServers(client, place.file).map((server) => ({ client, place, ...server, claudeScope: null })),
  );
  return [...entries, ...findClaudeEntries(environment)].filter(
    ({ name, command, isOwn }) => name === entryName || (command !== null && isOwn),
  );
}

/** Whether a command line starts Keepsake, by its name or as a script of its package. */
function startsKeepsake(command: readonly string[]): boolean {
  return command.some((word) =>
    /(?:^|[/\\])keepsake(?:-vault|-launcher)?(?:@[\w.-]+)?(?:\.(?:exe|cmd))?$|[/\\]cli[/\\]main\.[jt]s$/i.test(
      word,
    ),
  );
}

/** Computes how replacing a path of a vault in all entries of a file changes it. Writes nothing. */
export function planPathChange(
  { client, place }: ClientEntry,
  replace: (path: string) => string | null,
): ConfigChange {
  return planFileChange(place, (text) =>
    valueRanges(client, text).reduceRight(
      (rest, { start, end }) =>
        rest.slice(0, start) + replaceStrings(rest.slice(start, end), replace) + rest.slice(end),
      text,
    ),
  );
}

function listConfigFiles(
  environment: Environment,
  folders: readonly string[],
): { client: Client; place: ConfigLocation }[] {
  const machine = readPlatform(environment);
  const present = environment.home;
  return clients
    .flatMap((client) => [
      ...(client.userConfigFile === null ? [] : [{ client, project: undefined }]),
      ...(client.projectConfigPath === null ? [] : folders.map((project) => ({ client, project }))),
    ])
    .map(({ client, project }) => ({
      client,
      place: resolveConfigLocation(client, machine, { project, present }),
    }))
    .filter(
      // The file of the user may also be that of a project, if the project is the home folder.
      ({ client, place }, index, all) =>
        existsSync(place.file) &&
        all.findIndex((each) => each.client === client && each.place.file === place.file) === index,
    );
}

/** `claude mcp add` writes to a file that Claude Code itself rewrites constantly. */
function findClaudeEntries(environment: Environment): ClientEntry[] {
  const client = getClient('claude-code');
  const { home } = environment;
  const file = getPathModule(readPlatform(environment)).join(home, '.claude.json');
  const { mcpServers, projects } = (readParsed(client, file) ?? {}) as {
    mcpServers?: unknown;
    projects?: Record<string, { mcpServers?: unknown } | null>;
  };
  const scopes = [
    { servers: mcpServers, scope: 'user' as const, folder: home },
    ...Object.entries(projects ?? {}).map(([folder, project]) => ({
      servers: project?.mcpServers,
      scope: 'local' as const,
      folder,
    })),
  ];
  return scopes.flatMap(({ servers, scope, folder }) =>
    toServers(servers).map((server) => ({
      client,
      place: { file, within: home, isProject: false },
      ...server,
      claudeScope: { scope, folder },
    })),
  );
}

type Server = Pick<ClientEntry, 'name' | 'command' | 'isOwn' | 'definition'>;

function readServers(client: Client, file: string): Server[] {
  const parsed = readParsed(client, file) as Record<string, unknown> | null | undefined;
  return toServers(parsed?.[client.section]);
}

function readParsed({ format }: Client, file: string): unknown {
  try {
    const text = readFileSync(file, 'utf8').replace(/^\uFEFF/, '');
    return format === 'toml' ? parseToml(text) : parseJsonTree(text)?.value;
  } catch {
    return null;
  }
}

function toServers(servers: unknown): Server[] {
  if (typeof servers !== 'object' || servers === null) return [];
  return Object.entries(servers).map(([name, definition]) => {
    const { command, args } = (definition ?? {}) as { command?: unknown; args?: unknown };
    const words = [command, args].flat().filter((word) => typeof word === 'string');
    const isHttp = command === undefined;
    return {
      name,
      command: isHttp ? null : words,
      isOwn: isHttp || startsKeepsake(words),
      definition: definition as unknown,
    };
  });
}

/** The ranges of the values in the section of a client. */
function valueRanges(client: Client, text: string): { start: number; end: number }[] {
  if (client.format === 'toml')
    return parseTomlStatements(text)
      .filter(({ kind, path }) => kind === 'pair' && path[0] === client.section)
      .map(({ value }) => value);
  const servers = parseJsonTree(text)?.members?.findLast(({ key }) => key === client.section)?.node;
  return servers === undefined ? [] : [servers];
}

/** Replaces quoted strings of JSON or TOML by their values. */
function replaceStrings(text: string, replace: (value: string) => string | null): string {
  return text.replaceAll(/"(?:[^"\\\n]|\\.)*"|'[^'\n]*'/g, (quoted) => {
    const value = quoted.startsWith("'") ? quoted.slice(1, -1) : tryParse(quoted);
    const replaced = value !== null && isAbsolute(value) ? replace(value) : null;
    return replaced === null ? quoted : JSON.stringify(replaced);
  });
}

function tryParse(quoted: string): string | null {
  try {
    return JSON.parse(quoted) as string;
  } catch {
    return null;
  }
}
