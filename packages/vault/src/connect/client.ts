import { AppError } from '../app/index.ts';
import { getUserConfigFolder, packagesFolder, getPathModule } from './platform.ts';
import type { Platform } from './platform.ts';
import type { ConfigEntry, ServerEndpoint } from './server.ts';

export type Client = {
  name: string;
  title: string;
  format: 'json' | 'jsonc' | 'toml';
  /** The key under which the file lists its servers. */
  section: string;
  /** The user's configuration file; null if the client's own command has to be used. */
  userConfigFile: ((machine: Platform) => string) | null;
  /** The path of a project's configuration file, relative to the project folder. */
  projectConfigPath: string[] | null;
  /** How an installation is detected: by a command, or by files and folders that the client creates. */
  executable: string | null;
  detectionPaths: (machine: Platform) => string[];
  /** Formats a reference to an environment variable; null if the client does not support them. */
  formatVariableReference: ((variable: string) => string) | null;
  entry: (server: ServerEndpoint, authorization: string) => ConfigEntry;
  /** Why the client cannot use an HTTP server; undefined if it can. */
  httpUnsupportedReason?: string;
  /** When a running client notices the change; completes «takes effect …». */
  takesEffect: string;
  verifyHint: string;
  /** Where the user puts instructions for the client's model. */
  instructions: string;
};

const plainEntry = (server: ServerEndpoint, authorization: string): ConfigEntry =>
  server.kind === 'stdio'
    ? { command: server.command, args: server.args }
    : { url: server.url, headers: { Authorization: authorization } };

/** The plain entry plus the type of the connection. */
const typedEntry = (server: ServerEndpoint, authorization: string): ConfigEntry => ({
  type: server.kind,
  ...plainEntry(server, authorization),
});

const homePath =
  (...parts: string[]) =>
  (machine: Platform): string =>
    getPathModule(machine).join(machine.home, ...parts);

const configPath =
  (...parts: string[]) =>
  (machine: Platform): string =>
    getPathModule(machine).join(getUserConfigFolder(machine), ...parts);

const claudeCode: Client = {
  name: 'claude-code',
  title: 'Claude Code',
  format: 'json',
  section: 'mcpServers',
  // Claude Code rewrites ~/.claude.json constantly; only its own command can change that file safely.
  userConfigFile: null,
  projectConfigPath: ['.mcp.json'],
  executable: 'claude',
  detectionPaths: (machine) => [homePath('.claude.json')(machine), homePath('.claude')(machine)],
  formatVariableReference: (variable) => `\${${variable}}`,
  entry: typedEntry,
  takesEffect: 'in new sessions',
  verifyHint: 'start Claude Code and type /mcp; it asks once for permission to run the servers of a project',
  instructions:
    '~/.claude/skills/keepsake/SKILL.md for all your projects (.claude/skills/keepsake/SKILL.md for one); or put the text below the second --- into ~/.claude/CLAUDE.md',
};

/** A packaged (MSIX) application sees its own folder instead of the usual one. */
function claudeDesktopFile(machine: Platform): string {
  const path = getPathModule(machine);
  const name = ['Claude', 'claude_desktop_config.json'];
  const found = machine.packages.find((folder) => folder.startsWith('Claude_'));
  return found === undefined
    ? path.join(getUserConfigFolder(machine), ...name)
    : path.join(packagesFolder(machine), found, 'LocalCache', 'Roaming', ...name);
}

const claudeDesktop: Client = {
  name: 'claude-desktop',
  title: 'Claude Desktop',
  format: 'json',
  section: 'mcpServers',
  userConfigFile: claudeDesktopFile,
  projectConfigPath: null,
  executable: null,
  detectionPaths: (machine) => [getPathModule(machine).dirname(claudeDesktopFile(machine))],
  formatVariableReference: null,
  entry: plainEntry,
  httpUnsupportedReason: 'its configuration file supports only commands',
  takesEffect: 'after you quit and restart Claude Desktop',
  verifyHint: 'quit Claude Desktop, not only its window, and start it again; then Settings, Developer',
  instructions: 'the instructions of a project, or Settings, General, personal preferences',
};

const cursor: Client = {
  name: 'cursor',
  title: 'Cursor',
  format: 'jsonc',
  section: 'mcpServers',
  userConfigFile: homePath('.cursor', 'mcp.json'),
  projectConfigPath: ['.cursor', 'mcp.json'],
  executable: 'cursor',
  detectionPaths: (machine) => [homePath('.cursor')(machine)],
  formatVariableReference: (variable) => `\${env:${variable}}`,
  entry: (server, authorization) =>
    server.kind === 'stdio' ? typedEntry(server, authorization) : plainEntry(server, authorization),
  takesEffect: 'when you turn keepsake on in the settings',
  verifyHint: 'Cursor Settings, Tools & MCP: turn keepsake on there',
  instructions: 'Cursor Settings, Rules, User Rules; or .cursor/rules/keepsake.mdc in a project',
};

const vscode: Client = {
  name: 'vscode',
  title: 'VS Code',
  format: 'jsonc',
  section: 'servers',
  userConfigFile: configPath('Code', 'User', 'mcp.json'),
  projectConfigPath: ['.vscode', 'mcp.json'],
  executable: 'code',
  detectionPaths: (machine) => [configPath('Code', 'User')(machine)],
  formatVariableReference: (variable) => `\${env:${variable}}`,
  entry: typedEntry,
  takesEffect: 'when you start the server in VS Code',
  verifyHint: 'the command «MCP: List Servers»: start keepsake there',
  instructions: 'the command «Chat: New Instructions File», or .github/copilot-instructions.md in a project',
};

export const codexFolder = (machine: Platform): string =>
  machine.variable('CODEX_HOME') ?? homePath('.codex')(machine);

const codex: Client = {
  name: 'codex',
  title: 'Codex',
  format: 'toml',
  section: 'mcp_servers',
  userConfigFile: (machine) => getPathModule(machine).join(codexFolder(machine), 'config.toml'),
  projectConfigPath: ['.codex', 'config.toml'],
  executable: 'codex',
  detectionPaths: (machine) => [codexFolder(machine)],
  formatVariableReference: null,
  entry: (server) =>
    server.kind === 'stdio'
      ? { command: server.command, args: server.args }
      : { url: server.url, bearer_token_env_var: server.tokenVariable },
  takesEffect: 'in new sessions',
  verifyHint:
    'codex mcp list; or start codex and type /mcp. Codex reads the file of a project only after you trust the project',
  instructions: '~/.codex/AGENTS.md, or AGENTS.md in a project',
};

const geminiCli: Client = {
  name: 'gemini-cli',
  title: 'Gemini CLI',
  format: 'jsonc',
  section: 'mcpServers',
  userConfigFile: homePath('.gemini', 'settings.json'),
  projectConfigPath: ['.gemini', 'settings.json'],
  executable: 'gemini',
  detectionPaths: (machine) => [homePath('.gemini', 'settings.json')(machine)],
  formatVariableReference: (variable) => `\${${variable}}`,
  entry: (server, authorization) =>
    server.kind === 'stdio'
      ? plainEntry(server, authorization)
      : { httpUrl: server.url, headers: { Authorization: authorization } },
  takesEffect: 'in new sessions',
  verifyHint: 'gemini mcp list; or start gemini and type /mcp',
  instructions: '~/.gemini/GEMINI.md, or GEMINI.md in a project',
};

/** On macOS, Zed uses the same folder as on Linux. */
const zedFolder = (machine: Platform): string => {
  if (machine.platform === 'win32') return configPath('Zed')(machine);
  return machine.platform === 'darwin' ? homePath('.config', 'zed')(machine) : configPath('zed')(machine);
};

const zed: Client = {
  name: 'zed',
  title: 'Zed',
  format: 'jsonc',
  section: 'context_servers',
  userConfigFile: (machine) => getPathModule(machine).join(zedFolder(machine), 'settings.json'),
  projectConfigPath: null,
  executable: 'zed',
  detectionPaths: (machine) => [zedFolder(machine)],
  formatVariableReference: null,
  entry: plainEntry,
  httpUnsupportedReason:
    'it does not expand variables in headers, so the file would have to contain the token itself',
  takesEffect: 'at once',
  verifyHint: 'the settings of the agent panel: a green dot beside keepsake',
  instructions: 'the rules library of the agent panel; or AGENTS.md in a project',
};

/** OpenCode uses the same folder on every system. */
export function openCodeFolder(machine: Platform): string {
  const path = getPathModule(machine);
  return path.join(machine.variable('XDG_CONFIG_HOME') ?? path.join(machine.home, '.config'), 'opencode');
}

const openCode: Client = {
  name: 'opencode',
  title: 'OpenCode',
  format: 'jsonc',
  section: 'mcp',
  userConfigFile: (machine) => getPathModule(machine).join(openCodeFolder(machine), 'opencode.json'),
  projectConfigPath: ['opencode.json'],
  executable: 'opencode',
  detectionPaths: (machine) => [openCodeFolder(machine)],
  formatVariableReference: (variable) => `{env:${variable}}`,
  entry: (server, authorization) =>
    server.kind === 'stdio'
      ? { type: 'local', command: [server.command, ...server.args] }
      : { type: 'remote', url: server.url, headers: { Authorization: authorization } },
  takesEffect: 'in new sessions',
  verifyHint: 'opencode mcp list',
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

export function getClient(name: string): Client {
  const client = clients.find((candidate) => candidate.name === name);
  if (client !== undefined) return client;
  throw new AppError('bad-input', `unknown client ${name}; use one of ${clientNames.join(', ')}`);
}

/** Creates the entry for this server; throws if the client does not support it. */
export function createEntry(client: Client, server: ServerEndpoint): ConfigEntry {
  if (server.kind === 'http') {
    if (client.httpUnsupportedReason !== undefined)
      throw new AppError(
        'bad-input',
        `${client.title} does not support HTTP servers: ${client.httpUnsupportedReason}`,
        {
          hint: 'omit --http; keepsake mcp finds the running service automatically',
        },
      );
    return client.entry(server, `Bearer ${client.formatVariableReference?.(server.tokenVariable) ?? ''}`);
  }
  const replaced =
    client.formatVariableReference === null ? undefined : server.args.find((arg) => arg.includes('$'));
  if (replaced !== undefined)
    throw new AppError('bad-input', `${client.title} expands the $ in ${replaced}`, {
      hint: 'use a path without $, for example a symbolic link',
    });
  return client.entry(server, '');
}
