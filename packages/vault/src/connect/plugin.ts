import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { AppError } from '../app/index.ts';
import { openCodeFolder } from './client.ts';
import { pathsOf } from './machine.ts';
import type { Machine } from './machine.ts';
import { openCodePlugin } from './opencode-plugin.ts';
import { quoteForShell } from './quote.ts';
import type { Server } from './server.ts';

/** By their paths: a text as it is, everything else as JSON. */
export type PluginFiles = Record<string, unknown>;

export type PluginOptions = {
  version: string;
  /** How Keepsake is started, without arguments. */
  program: string[];
  server: Extract<Server, { kind: 'stdio' }>;
  /** What a model is taught, as a skill. */
  skill: string;
};

/** How hooks, skill and tools get into a client. */
export type PluginClient = {
  /** Where its files lie: with us, for the client's own command, or where the client looks for them. */
  folder: (machine: Machine, dataHome: string) => string;
  files: (options: PluginOptions) => PluginFiles;
  /** What in the folder is ours; all of it unless told. */
  owned?: string;
  /** The client's own commands, one after the other. */
  install: (folder: string) => string[][];
  remove: string[][];
  /** Whether it brings the server; else that stands in the client's configuration. */
  hasServer: boolean;
  /** What the client is answered when it asks whether this is trusted: the person says so by asking for it. */
  answer?: string;
  /** Whether it has to be removed before it is installed again. */
  isOnce?: true;
};

const id = 'keepsake@keepsake';
const description = 'A memory that belongs to you: a vault of plain markdown, open to every AI tool.';
const author = { name: 'Keepsake' };
const license = 'Apache-2.0';

const ours =
  (name: string): PluginClient['folder'] =>
  (_, dataHome) =>
    join(dataHome, name);

export const pluginClients: Readonly<Record<string, PluginClient>> = {
  'claude-code': {
    folder: ours('plugin'),
    files: claudePlugin,
    install: (folder) => [
      ['claude', 'plugin', 'marketplace', 'add', folder],
      ['claude', 'plugin', 'install', id],
    ],
    remove: [
      ['claude', 'plugin', 'uninstall', id],
      ['claude', 'plugin', 'marketplace', 'remove', 'keepsake'],
    ],
    hasServer: true,
  },
  codex: {
    folder: ours('plugin'),
    files: claudePlugin,
    install: (folder) => [
      ['codex', 'plugin', 'marketplace', 'add', folder],
      ['codex', 'plugin', 'add', id],
    ],
    remove: [
      ['codex', 'plugin', 'remove', id],
      ['codex', 'plugin', 'marketplace', 'remove', 'keepsake'],
    ],
    hasServer: true,
  },
  'gemini-cli': {
    folder: ours('gemini-extension'),
    files: geminiExtension,
    install: (folder) => [['gemini', 'extensions', 'install', folder, '--consent']],
    remove: [['gemini', 'extensions', 'uninstall', 'keepsake']],
    hasServer: true,
    answer: 'y\n',
    isOnce: true,
  },
  cursor: {
    folder: (machine) => pathsOf(machine).join(machine.home, '.cursor', 'plugins', 'local', 'keepsake'),
    files: cursorPlugin,
    install: () => [],
    remove: [],
    hasServer: false,
  },
  opencode: {
    folder: (machine) => pathsOf(machine).join(openCodeFolder(machine), 'plugins'),
    // Beside those of others.
    owned: 'keepsake.js',
    files: ({ program }) => ({ 'keepsake.js': openCodePlugin(program, timeoutOf) }),
    install: () => [],
    remove: [],
    hasServer: false,
  },
};

/** The hooks of Claude Code and Codex. */
const events: Record<string, { event: string; isAsync?: true }> = {
  SessionStart: { event: 'session-start' },
  UserPromptSubmit: { event: 'prompt', isAsync: true },
  Stop: { event: 'turn' },
  PreCompact: { event: 'pre-compact' },
  PostCompact: { event: 'post-compact' },
  SessionEnd: { event: 'session-end' },
};

/**
 * Seconds after which a client ends a hook. One that records words needs a tenth of a second and gets thirty, since what it has not
 * written by then is lost, and a busy machine may be slow. At the end of a session no client waits longer.
 */
function timeoutOf(event: string): number {
  return { 'session-start': 5, 'pre-compact': 5, 'session-end': 3 }[event] ?? 30;
}

/** A marketplace with one plugin. In shell form, which Claude Code and Codex both understand. */
function claudePlugin({ version, program, server, skill }: PluginOptions): PluginFiles {
  const hooks = Object.fromEntries(
    Object.entries(events).map(([name, { event, isAsync }]) => {
      const [command, timeout] = [hookCommand(program, 'auto', event), timeoutOf(event)];
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
    ...below('keepsake', { ...commands, 'skills/keepsake/SKILL.md': skill }),
  };
}

/** In milliseconds there, and what was asked and answered comes together. */
function geminiExtension({ version, program, server, skill }: PluginOptions): PluginFiles {
  const hook = (event: string) => [
    {
      hooks: [
        {
          type: 'command',
          command: hookCommand(program, 'gemini-cli', event),
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

function cursorPlugin({ version, program, skill }: PluginOptions): PluginFiles {
  const hook = (event: string) => [
    { command: hookCommand(program, 'cursor', event), timeout: timeoutOf(event) },
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

/** For every client that takes Agent Plugins 1.0: tools and skill. It knows no hooks, and finds programs by their names. */
export function portablePlugin({ version, server, skill }: Omit<PluginOptions, 'program'>): PluginFiles {
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
description: Keep what was learned and decided in this conversation
---

Keep in the vault of Keepsake what this conversation has brought: decisions with their reasons, lasting facts, tasks, and how the project
stands now. Search first, so that nothing is written twice. With \`memory_update\`, hand it over in one go; without it, write it
yourself, as the skill keepsake says. Leave out what is not worth keeping, and say in one line what was kept and where. $ARGUMENTS
`,
  'commands/file.md': `---
description: File session notes that wait in the vault
---

Find notes of sessions with \`filed: false\` (\`vault_search\` for "filed: false", in \`bucket/sessions/\`). Read each, file what is new in it where the
skill keepsake says it belongs, then set \`filed: true\` in its frontmatter. What is known already is not written again; most of it is
not worth keeping. Say in the end what was filed and where. $ARGUMENTS
`,
};

function hookCommand(program: readonly string[], client: string, event: string): string {
  return [...program, 'hook', client, event].map(quoteForShell).join(' ');
}

function below(folder: string, files: PluginFiles): PluginFiles {
  return Object.fromEntries(Object.entries(files).map(([path, content]) => [`${folder}/${path}`, content]));
}

/** Lays them into a folder, in place of what was ours there. */
export function writePlugin(folder: string, files: PluginFiles, owned = ''): void {
  removePlugin(folder, owned);
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, typeof content === 'string' ? content : `${JSON.stringify(content, null, 2)}\n`);
  }
}

export function removePlugin(folder: string, owned = ''): void {
  rmSync(join(folder, owned), { recursive: true, force: true });
}

/** The same in a folder that the person names, which holds nothing else, or an older one. */
export function writePortablePlugin(folder: string, files: PluginFiles): void {
  if (!isFree(folder))
    throw new AppError('bad-target', `${folder} holds something else`, { mend: 'name an empty folder' });
  writePlugin(folder, files);
}

function isFree(folder: string): boolean {
  try {
    if (readdirSync(folder).length === 0) return true;
    const { name } = JSON.parse(readFileSync(join(folder, 'plugin.json'), 'utf8')) as { name?: unknown };
    return name === 'keepsake';
  } catch {
    return !existsSync(folder);
  }
}
