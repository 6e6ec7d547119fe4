import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../app/index.ts';
import { codexFolder, openCodeFolder } from './client.ts';
import { getPathModule } from './platform.ts';
import type { Platform } from './platform.ts';
import { renderOpenCodePlugin } from './opencode-plugin.ts';
import { quoteForShell } from './quote.ts';
import type { ServerEndpoint } from './server.ts';

/** File contents by path: strings are written as they are, everything else as JSON. */
export type PluginFiles = Record<string, unknown>;

export type PluginOptions = {
  version: string;
  /** The script that starts Keepsake from a shell. */
  launcher: string;
  /** The command that starts Keepsake without a shell, without arguments. */
  program: string[];
  server: Extract<ServerEndpoint, { kind: 'stdio' }>;
  /** The text of the skill. */
  skill: string;
};

/** How hooks, skill and tools are installed in a client. */
export type PluginClient = {
  /**
   * The folder of the plugin's files: in Keepsake's data folder if the client's command installs them, otherwise where
   * the client looks for them.
   */
  folder: (machine: Platform, dataHome: string) => string;
  files: (options: PluginOptions) => PluginFiles;
  /** The folders from which the client reads the installed plugin, if it is not `folder`. */
  installed?: (machine: Platform) => string[];
  /** The path in the folder that Keepsake owns; the whole folder if undefined. */
  ownedPath?: string;
  /** Commands of the client, run in this order. */
  install: (folder: string) => string[][];
  remove: string[][];
  /** Whether the plugin includes the MCP server; otherwise the server is added to the client's configuration. */
  includesServer: boolean;
  /** The answer when the client asks whether to trust the plugin; the user has agreed by running the command. */
  promptAnswer?: string;
  /** Whether the plugin has to be removed before it can be installed again. */
  mustReinstall?: true;
};

const id = 'keepsake@keepsake';
const description = 'Your own memory: a vault of plain Markdown files, open to every AI tool.';
const author = { name: 'Keepsake' };
const license = 'Apache-2.0';

const inDataHome =
  (name: string): PluginClient['folder'] =>
  (_, dataHome) =>
    join(dataHome, name);

export const pluginClients: Readonly<Record<string, PluginClient>> = {
  'claude-code': {
    folder: inDataHome('plugin'),
    files: claudePlugin,
    install: (folder) => [
      ['claude', 'plugin', 'marketplace', 'add', folder],
      ['claude', 'plugin', 'install', id],
    ],
    remove: [
      ['claude', 'plugin', 'uninstall', id],
      ['claude', 'plugin', 'marketplace', 'remove', 'keepsake'],
    ],
    includesServer: true,
  },
  codex: {
    folder: inDataHome('plugin'),
    files: claudePlugin,
    install: (folder) => [
      ['codex', 'plugin', 'marketplace', 'add', folder],
      ['codex', 'plugin', 'add', id],
    ],
    remove: [
      ['codex', 'plugin', 'remove', id],
      ['codex', 'plugin', 'marketplace', 'remove', 'keepsake'],
    ],
    includesServer: true,
    // Codex reads its own copy, which it does not renew for the same version.
    mustReinstall: true,
    installed: (machine) => {
      const copies = getPathModule(machine).join(codexFolder(machine), 'plugins/cache/keepsake/keepsake');
      return existsSync(copies) ? readdirSync(copies).map((version) => join(copies, version)) : [];
    },
  },
  'gemini-cli': {
    folder: inDataHome('gemini-extension'),
    files: geminiExtension,
    install: (folder) => [['gemini', 'extensions', 'install', folder, '--consent']],
    remove: [['gemini', 'extensions', 'uninstall', 'keepsake']],
    includesServer: true,
    promptAnswer: 'y\n',
    mustReinstall: true,
  },
  cursor: {
    folder: (machine) => getPathModule(machine).join(machine.home, '.cursor', 'plugins', 'local', 'keepsake'),
    files: cursorPlugin,
    install: () => [],
    remove: [],
    includesServer: false,
  },
  opencode: {
    folder: (machine) => getPathModule(machine).join(openCodeFolder(machine), 'plugins'),
    // The folder also contains other plugins.
    ownedPath: 'keepsake.js',
    files: ({ program }) => ({ 'keepsake.js': renderOpenCodePlugin(program, timeoutOf) }),
    install: () => [],
    remove: [],
    includesServer: false,
  },
};

const events: Record<string, { event: string; isAsync?: true }> = {
  SessionStart: { event: 'session-start' },
  UserPromptSubmit: { event: 'prompt', isAsync: true },
  Stop: { event: 'turn' },
  PreCompact: { event: 'pre-compact' },
  PostCompact: { event: 'post-compact' },
  SessionEnd: { event: 'session-end' },
};

/**
 * Seconds after which a client stops a hook. A hook that records text needs a tenth of a second but gets thirty
 * seconds, because unwritten text is lost and a busy machine may be slow. At the end of a session, no client waits
 * longer than three seconds.
 */
function timeoutOf(event: string): number {
  return { 'session-start': 5, 'pre-compact': 5, 'session-end': 3 }[event] ?? 30;
}

/** A marketplace with one plugin. Hooks are shell commands, which both Claude Code and Codex understand. */
function claudePlugin({ version, launcher, server, skill }: PluginOptions): PluginFiles {
  const hooks = Object.fromEntries(
    Object.entries(events).map(([name, { event, isAsync }]) => {
      const [command, timeout] = [hookCommand(launcher, 'auto', event), timeoutOf(event)];
      return [name, [{ hooks: [{ type: 'command', command, timeout, ...(isAsync && { async: true }) }] }]];
    }),
  );
  return {
    '.claude-plugin/marketplace.json': {
      name: 'keepsake',
      description,
      owner: author,
      plugins: [{ name: 'keepsake', source: './keepsake', description }],
    },
    'keepsake/.claude-plugin/plugin.json': { name: 'keepsake', version, description, author, license },
    'keepsake/.mcp.json': { mcpServers: { keepsake: { command: server.command, args: server.args } } },
    'keepsake/hooks/hooks.json': { hooks },
    ...prefixPaths('keepsake', { ...commands, 'skills/keepsake/SKILL.md': skill }),
  };
}

/** Gemini CLI takes timeouts in milliseconds and reports a prompt together with its answer. */
function geminiExtension({ version, launcher, server, skill }: PluginOptions): PluginFiles {
  const hook = (event: string) => [
    {
      hooks: [
        {
          type: 'command',
          command: hookCommand(launcher, 'gemini-cli', event),
          timeout: timeoutOf(event) * 1_000,
        },
      ],
    },
  ];
  return {
    'gemini-extension.json': {
      name: 'keepsake',
      version,
      description,
      mcpServers: { keepsake: { command: server.command, args: server.args } },
    },
    'hooks/hooks.json': {
      hooks: {
        SessionStart: hook('session-start'),
        AfterAgent: hook('after-agent'),
        SessionEnd: hook('session-end'),
      },
    },
    'skills/keepsake/SKILL.md': skill,
  };
}

function cursorPlugin({ version, launcher, skill }: PluginOptions): PluginFiles {
  const hook = (event: string) => [
    { command: hookCommand(launcher, 'cursor', event), timeout: timeoutOf(event) },
  ];
  return {
    '.cursor-plugin/plugin.json': { name: 'keepsake', version, description, author, license },
    'hooks/hooks.json': {
      version: 1,
      hooks: {
        sessionStart: hook('session-start'),
        beforeSubmitPrompt: hook('prompt'),
        afterAgentResponse: hook('turn'),
        sessionEnd: hook('session-end'),
      },
    },
    ...commands,
    'skills/keepsake/SKILL.md': skill,
  };
}

/**
 * A plugin with tools and skill for every client that supports Agent Plugins 1.0. The format has no hooks, and programs
 * are found by their name in PATH.
 */
export function createPortablePlugin({
  version,
  server,
  skill,
}: Omit<PluginOptions, 'program' | 'launcher'>): PluginFiles {
  const schemas = 'https://agent-plugins.org/schemas/1.0.0';
  return {
    'plugin.json': {
      $schema: `${schemas}/plugin.schema.json`,
      name: 'keepsake',
      version,
      description,
      author,
      license,
    },
    'mcp.json': {
      $schema: `${schemas}/mcp.schema.json`,
      mcpServers: { keepsake: { type: 'stdio', command: 'keepsake', args: server.args } },
    },
    'skills/keepsake/SKILL.md': skill,
  };
}

const commands: PluginFiles = {
  'commands/remember.md': `---
description: Save what was learned and decided in this conversation
---

Save the results of this conversation in the Keepsake vault: decisions with their reasons, lasting facts, tasks, and the current state of
the project. Search first, to avoid duplicates. With \`memory_search\`, submit everything in one \`memory_update\`; without it, write the notes
yourself, as the keepsake skill describes. Omit what is not worth keeping, and say in one line what you saved and where. $ARGUMENTS
`,
  'commands/file.md': `---
description: File what waits, and the unfiled session notes of the vault
---

First file what waits: call \`memory_next\`, follow its instructions, finish with \`memory_done\`, and repeat until nothing waits. Then find session notes with \`filed: false\` (\`vault_search\` for "filed: false", in \`bucket/sessions/\`). Read each one, file its new information
where the keepsake skill says it belongs, then set \`filed: true\` in its frontmatter. Do not write down again what the vault already says;
most of a session is not worth keeping. At the end, say what you filed and where. $ARGUMENTS
`,
};

function hookCommand(launcher: string, client: string, event: string): string {
  const quote = process.platform === 'win32' ? quoteForHook : quoteForShell;
  return [launcher, 'hook', client, event].map(quote).join(' ');
}

/** Windows clients run hooks in Git Bash or cmd.exe, and only this form of a path means the same in both. */
function quoteForHook(word: string): string {
  return /^[\w-]+$/.test(word) ? word : `"${word.replaceAll('\\', '/')}"`;
}

function prefixPaths(folder: string, files: PluginFiles): PluginFiles {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));
}

/** Writes the files into a folder and replaces the previous version of the plugin. */
export function writePlugin(folder: string, files: PluginFiles, owned = ''): void {
  removePlugin(folder, owned);
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
}

const startingFile = /(?:^|\/)(?:hooks\.json|\.mcp\.json|gemini-extension\.json|keepsake\.js)$/;
const manifestFile = /(?:^|\/)plugin\.json$/;

/** The file of a plugin that a client reads, which may have copied it without the folder of the marketplace; undefined if it is missing. */
function findPluginFile(folder: string, path: string): string | undefined {
  return [path, path.replace(/^keepsake\//, '')]
    .map((each) => join(folder, each))
    .find((each) => existsSync(each));
}

/** The files without which a client cannot load the plugin, and that none of the folders, from which it reads the plugin, contains. */
export function findMissingFiles(folders: readonly string[], paths: readonly string[]): string[] {
  return paths
    .filter((path) => startingFile.test(path) || manifestFile.test(path))
    .filter((path) => folders.every((folder) => findPluginFile(folder, path) === undefined));
}

/** Whether the files from which a client starts hooks and server, which it may have copied, are those of the plan. */
export function isInstalled(folders: readonly string[], files: PluginFiles): boolean {
  const starting = Object.entries(files).filter(([path]) => startingFile.test(path));
  return folders.some(
    (folder) =>
      findMissingFiles([folder], Object.keys(files)).length === 0 &&
      starting.every(([path, content]) => {
        const file = findPluginFile(folder, path);
        if (file === undefined) return false;
        const text = readFileSync(file, 'utf8');
        return typeof content === 'string'
          ? text === content
          : text === `${JSON.stringify(content, null, 2)}\n`;
      }),
  );
}

/** The arguments with which an installed plugin starts the MCP server; none if it includes no server or cannot be read. */
export function readPluginArguments(folder: string): string[] {
  for (const path of ['keepsake/.mcp.json', 'gemini-extension.json'])
    try {
      const { mcpServers } = JSON.parse(readFileSync(join(folder, path), 'utf8')) as {
        mcpServers: { keepsake: { args: string[] } };
      };
      return mcpServers.keepsake.args;
    } catch {
      // The file of another client's plugin, or a damaged one.
    }
  return [];
}

export function removePlugin(folder: string, owned = ''): void {
  rmSync(join(folder, owned), { recursive: true, force: true });
}

/** Like `writePlugin`, but into a folder chosen by the user, which must be empty or contain an older version. */
export function writePortablePlugin(folder: string, files: PluginFiles): void {
  if (!isEmptyOrOwn(folder))
    throw new AppError('bad-target', `${folder} contains other files`, { hint: 'use an empty folder' });
  writePlugin(folder, files);
}

function isEmptyOrOwn(folder: string): boolean {
  try {
    if (readdirSync(folder).length === 0) return true;
    const { name } = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as { name?: unknown };
    return name === 'keepsake';
  } catch {
    return !existsSync(folder);
  }
}
