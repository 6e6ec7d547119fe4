import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { quoteForShell } from './quote.ts';
import type { Server } from './server.ts';

/** What a client runs so that hooks and tools are there: its own commands, one after the other. */
export type PluginClient = { install: (folder: string) => string[][]; remove: string[][] };

const id = 'keepsake@keepsake';

/** The clients that take a plugin in the format of Claude Code. */
export const pluginClients: Readonly<Record<string, PluginClient>> = {
  'claude-code': {
    install: (folder) => [
      ['claude', 'plugin', 'marketplace', 'add', folder],
      ['claude', 'plugin', 'install', id],
    ],
    remove: [
      ['claude', 'plugin', 'uninstall', id],
      ['claude', 'plugin', 'marketplace', 'remove', 'keepsake'],
    ],
  },
  codex: {
    install: (folder) => [
      ['codex', 'plugin', 'marketplace', 'add', folder],
      ['codex', 'plugin', 'add', id],
    ],
    remove: [
      ['codex', 'plugin', 'remove', id],
      ['codex', 'plugin', 'marketplace', 'remove', 'keepsake'],
    ],
  },
};

/** Seconds: of the client, which ends what takes longer. At the end of a session there is hardly any time. */
const events: Record<string, { event: string; timeout: number; isAsync?: true }> = {
  SessionStart: { event: 'session-start', timeout: 5 },
  UserPromptSubmit: { event: 'prompt', timeout: 5, isAsync: true },
  Stop: { event: 'turn', timeout: 5 },
  PreCompact: { event: 'pre-compact', timeout: 5 },
  PostCompact: { event: 'post-compact', timeout: 5 },
  SessionEnd: { event: 'session-end', timeout: 3 },
};

export type PluginOptions = {
  version: string;
  /** How Keepsake is started, without arguments. */
  program: string[];
  server: Extract<Server, { kind: 'stdio' }>;
};

export function pluginFolder(dataHome: string): string {
  return join(dataHome, 'plugin');
}

/** The files of a marketplace with one plugin, by their paths in it. In shell form, which every client understands. */
export function pluginFiles({ version, program, server }: PluginOptions): Record<string, unknown> {
  const description = 'A memory that belongs to you: a vault of plain markdown, open to every AI tool.';
  const hooks = Object.fromEntries(
    Object.entries(events).map(([name, { event, timeout, isAsync }]) => {
      const command = [...program, 'hook', 'auto', event].map(quoteForShell).join(' ');
      return [name, [{ hooks: [{ type: 'command', command, timeout, ...(isAsync && { async: true }) }] }]];
    }),
  );
  return {
    '.claude-plugin/marketplace.json': {
      name: 'keepsake',
      owner: { name: 'Keepsake' },
      plugins: [{ name: 'keepsake', source: './keepsake', description }],
    },
    'keepsake/.claude-plugin/plugin.json': {
      name: 'keepsake',
      version,
      description,
      author: { name: 'Keepsake' },
      license: 'Apache-2.0',
    },
    'keepsake/.mcp.json': { mcpServers: { keepsake: { command: server.command, args: server.args } } },
    'keepsake/hooks/hooks.json': { hooks },
  };
}

/** Lays them into a folder that then holds nothing else. */
export function writePlugin(folder: string, files: Record<string, unknown>): void {
  rmSync(folder, { recursive: true, force: true });
  for (const [path, content] of Object.entries(files)) {
    const file = join(folder, path);
    mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
    writeFileSync(file, `${JSON.stringify(content, null, 2)}\n`);
  }
}

export function removePlugin(folder: string): void {
  rmSync(folder, { recursive: true, force: true });
}
