import { AppError } from '../app/index.ts';
import { configurationFolder, packagesFolder, pathsOf } from './machine.ts';
import type { Machine } from './machine.ts';
import type { Entry, Server } from './server.ts';

export type Client = {
  name: string;
  title: string;
  format: 'json' | 'jsonc' | 'toml';
  /** Under which key its servers stand. */
  section: string;
  /** The person's file; null where the client's own command has to be used. */
  personal: ((machine: Machine) => string) | null;
  /** The file of one project, below its folder. */
  project: string[] | null;
  /** By what it is known to be here: a command, or a file or folder it makes. */
  executable: string | null;
  traces: (machine: Machine) => string[];
  /** How a value of the file refers to an environment variable; null if it cannot. */
  reference: ((variable: string) => string) | null;
  entry: (server: Server, authorization: string) => Entry;
  /** Why it cannot call an address. */
  noHttp?: string;
  check: string;
  /** Where a text for its model belongs. */
  instructions: string;
};

const plainEntry = (server: Server, authorization: string): Entry =>
  server.kind === 'stdio'
    ? { command: server.command, args: server.args }
    : { url: server.url, headers: { Authorization: authorization } };

/** As most clients write it: with the kind of connection said. */
const typedEntry = (server: Server, authorization: string): Entry => ({
  type: server.kind,
  ...plainEntry(server, authorization),
});

const inHome =
  (...parts: string[]) =>
  (machine: Machine): string =>
    pathsOf(machine).join(machine.home, ...parts);

const inConfiguration =
  (...parts: string[]) =>
  (machine: Machine): string =>
    pathsOf(machine).join(configurationFolder(machine), ...parts);

const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  format: 'json',
  section: 'mcpServers',
  // Claude Code rewrites its ~/.claude.json all the time; only its own command can change that safely.
  personal: null,
  project: ['.mcp.json'],
  executable: 'claude',
  traces: (machine) => [inHome('.claude.json')(machine), inHome('.claude')(machine)],
  reference: (variable) => `\${${variable}}`,
  entry: typedEntry,
  check: 'start Claude Code and type /mcp; it asks once whether the servers of a project may run',
  instructions:
    '~/.claude/skills/keepsake/SKILL.md for all your projects (.claude/skills/keepsake/SKILL.md for one); or put what is below the second --- into ~/.claude/CLAUDE.md',
};

/** A package has a folder of its own, which it sees in place of the usual one. */
function claudeDesktopFile(machine: Machine): string {
  const path = pathsOf(machine);
  const name = ['Claude', 'claude_desktop_config.json'];
  const found = machine.packages.find((folder) => folder.startsWith('Claude_'));
  return found === undefined
    ? path.join(configurationFolder(machine), ...name)
    : path.join(packagesFolder(machine), found, 'LocalCache', 'Roaming', ...name);
}

const claudeDesktop: Client = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  format: 'json',
  section: 'mcpServers',
  personal: claudeDesktopFile,
  project: null,
  executable: null,
  traces: (machine) => [pathsOf(machine).dirname(claudeDesktopFile(machine))],
  reference: null,
  entry: plainEntry,
  noHttp: 'its configuration file takes commands only',
  check: 'quit Claude Desktop, not only its window, and start it again; then Settings, Developer',
  instructions: 'the instructions of a project, or Settings, General, personal preferences',
};

const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  format: 'jsonc',
  section: 'mcpServers',
  personal: inHome('.cursor', 'mcp.json'),
  project: ['.cursor', 'mcp.json'],
  executable: 'cursor',
  traces: (machine) => [inHome('.cursor')(machine)],
  reference: (variable) => `\${env:${variable}}`,
  entry: (server, authorization) =>
    server.kind === 'stdio' ? typedEntry(server, authorization) : plainEntry(server, authorization),
  check: 'Cursor Settings, Tools & MCP: turn keepsake on there',
  instructions: 'Cursor Settings, Rules, User Rules; or .cursor/rules/keepsake.mdc in a project',
};

const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  format: 'jsonc',
  section: 'servers',
  personal: inConfiguration('Code', 'User', 'mcp.json'),
  project: ['.vscode', 'mcp.json'],
  executable: 'code',
  traces: (machine) => [inConfiguration('Code', 'User')(machine)],
  reference: (variable) => `\${env:${variable}}`,
  entry: typedEntry,
  check: 'the command «MCP: List Servers»: start keepsake there',
  instructions: 'the command «Chat: New Instructions File», or .github/copilot-instructions.md in a project',
};

const codexFolder = (machine: Machine): string => machine.variable('CODEX_HOME') ?? inHome('.codex')(machine);

const codex: Client = {
  name: 'codex',
  title: 'Codex',
  format: 'toml',
  section: 'mcp_servers',
  personal: (machine) => pathsOf(machine).join(codexFolder(machine), 'config.toml'),
  project: ['.codex', 'config.toml'],
  executable: 'codex',
  traces: (machine) => [codexFolder(machine)],
  reference: null,
  entry: (server) =>
    server.kind === 'stdio'
      ? { command: server.command, args: server.args }
      : { url: server.url, bearer_token_env_var: server.tokenVariable },
  check:
    'codex mcp list; or start codex and type /mcp. A file of a project counts once you trust the project',
  instructions: '~/.codex/AGENTS.md, or AGENTS.md in a project',
};

const geminiCli: Client = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  format: 'jsonc',
  section: 'mcpServers',
  personal: inHome('.gemini', 'settings.json'),
  project: ['.gemini', 'settings.json'],
  executable: 'gemini',
  traces: (machine) => [inHome('.gemini', 'settings.json')(machine)],
  reference: (variable) => `\${${variable}}`,
  entry: (server, authorization) =>
    server.kind === 'stdio'
      ? plainEntry(server, authorization)
      : { httpUrl: server.url, headers: { Authorization: authorization } },
  check: 'gemini mcp list; or start gemini and type /mcp',
  instructions: '~/.gemini/GEMINI.md, or GEMINI.md in a project',
};

/** On macOS Zed does as on Linux. */
const zedFolder = (machine: Machine): string => {
  if (machine.platform === 'win32') return inConfiguration('Zed')(machine);
  return machine.platform === 'darwin' ? inHome('.config', 'zed')(machine) : inConfiguration('zed')(machine);
};

const zed: Client = {
  name: 'zed',
  title: 'Zed',
  format: 'jsonc',
  section: 'context_servers',
  personal: (machine) => pathsOf(machine).join(zedFolder(machine), 'settings.json'),
  project: null,
  executable: 'zed',
  traces: (machine) => [zedFolder(machine)],
  reference: null,
  entry: plainEntry,
  noHttp: 'it does not read variables in headers, so that the token itself would have to stand in the file',
  check: 'the settings of the agent panel: a green dot beside keepsake',
  instructions: 'the rules library of the agent panel; or AGENTS.md in a project',
};

/** The same on every system. */
export function openCodeFolder(machine: Machine): string {
  const path = pathsOf(machine);
  return path.join(machine.variable('XDG_CONFIG_HOME') ?? path.join(machine.home, '.config'), 'opencode');
}

const openCode: Client = {
  name: 'opencode',
  title: 'OpenCode',
  format: 'jsonc',
  section: 'mcp',
  personal: (machine) => pathsOf(machine).join(openCodeFolder(machine), 'opencode.json'),
  project: ['opencode.json'],
  executable: 'opencode',
  traces: (machine) => [openCodeFolder(machine)],
  reference: (variable) => `{env:${variable}}`,
  entry: (server, authorization) =>
    server.kind === 'stdio'
      ? { type: 'local', command: [server.command, ...server.args] }
      : { type: 'remote', url: server.url, headers: { Authorization: authorization } },
  check: 'opencode mcp list',
  instructions: '~/.config/opencode/AGENTS.md, or AGENTS.md in a project',
};

export const clients: readonly Client[] = [
  claudeCode,
  claudeDesktop,
  cursor,
  vscode,
  codex,
  geminiCli,
  openCode,
  zed,
];

export const clientNames = clients.map(({ name }) => name);

export function clientNamed(name: string): Client {
  const client = clients.find((candidate) => candidate.name === name);
  if (client !== undefined) return client;
  throw new AppError('bad-input', `there is no client ${name}; there are ${clientNames.join(', ')}`);
}

/** What stands in a client's file for this server. */
export function entryFor(client: Client, server: Server): Entry {
  if (server.kind === 'http') {
    if (client.noHttp !== undefined)
      throw new AppError('bad-input', `${client.title} cannot be connected by an address: ${client.noHttp}`, {
        mend: 'leave out --http: keepsake mcp finds the running service by itself',
      });
    return client.entry(server, `Bearer ${client.reference?.(server.tokenVariable) ?? ''}`);
  }
  const replaced = client.reference === null ? undefined : server.args.find((arg) => arg.includes('$'));
  if (replaced !== undefined)
    throw new AppError('bad-input', `${client.title} would replace the $ in ${replaced}`, {
      mend: 'make a link to it without one and name that',
    });
  return client.entry(server, '');
}
