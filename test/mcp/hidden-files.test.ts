import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it, onTestFinished } from 'vitest';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { createLocalBackend } from '../../packages/vault/src/server/mcp/index.ts';
import type { McpBackend } from '../../packages/vault/src/server/mcp/index.ts';
import { parseVaultPath } from '../../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { processVariables } from '../process-variables.ts';
import { layOut, temporaryFolder } from '../temporary-vault.ts';

const files = {
  'private/nightjar.md': 'The word is zanzibarquokka.\n',
  'projects/nightjar/state.md': 'The word is zanzibarquokka.\n',
  'projects/open/state.md': 'The word is out.\n',
};
const canaries = /zanzibarquokka|nightjar/;

function place() {
  const root = temporaryFolder();
  layOut(join(root, 'vault'), files);
  const environment = readEnvironment({ ...processVariables, XDG_CONFIG_HOME: join(root, 'config') });
  /** Resolves when the patterns apply: the configuration is cached for a tenth of a second. */
  const keepBack = async (): Promise<void> => {
    mkdirSync(join(root, 'config', 'keepsake'), { recursive: true });
    writeFileSync(environment.configFile, 'agents:\n  exclude: [private/**, projects/nightjar/]\n');
    await sleep(150);
  };
  return { vault: join(root, 'vault'), state: join(root, 'state'), environment, keepBack };
}

async function open({ vault, state, environment }: ReturnType<typeof place>) {
  const keepsake = await openKeepsake({ vault, state, environment });
  onTestFinished(async () => void (await keepsake.close()));
  return { keepsake, backend: createLocalBackend(keepsake, environment) };
}

/** Everything that an MCP client can read from tools, resources and completion without naming a hidden file. */
async function told(backend: McpBackend): Promise<string> {
  const call = (tool: string, input: unknown) =>
    backend.callTool({ tool, input, reader: 'model', origin: 'mcp' });
  return JSON.stringify([
    await backend.listFiles(),
    await backend.listRoot(),
    await backend.readFile(at('private/nightja.md')),
    await call('tree', {}),
    await call('read', { paths: ['private/', 'private/nightja.md'] }),
    await call('search', { queries: ['the word'], mode: 'fast' }),
    await call('move', { from: 'private/nightja.md', to: 'bucket/' }),
  ]);
}

function at(text: string): VaultPath {
  const parsed = parseVaultPath(text);
  if (!parsed.ok) throw new Error(parsed.reason);
  return parsed.path;
}

describe('MCP', () => {
  it('reveals nothing about files once the configuration hides them', async () => {
    const where = place();
    const { backend } = await open(where);
    const before = await told(backend);
    expect(before).toMatch(canaries);
    await where.keepBack();
    const after = await told(backend);
    expect(after).toContain('The word is out');
    expect(after).not.toMatch(canaries);
    const named = await backend.readFile(at('private/nightjar.md'));
    expect(named).toEqual(await backend.readFile(at('private/never.md')));
    expect(named.kind).toBe('missing');
  });

  it('sends no notification of changes to hidden files', async () => {
    const where = place();
    await where.keepBack();
    const { backend, keepsake } = await open(where);
    const notifications: string[] = [];
    onTestFinished(backend.onChange((paths) => void notifications.push(...paths)));
    const append = (path: string) =>
      keepsake.callTool({
        tool: 'append',
        input: { path, content: 'x', position: 'bottom' },
        reader: 'person',
        origin: 'test',
      });
    await append('private/nightjar.md');
    await append('projects/open/state.md');
    expect(notifications.join('\n')).toContain('open/state.md');
    expect(notifications.join('\n')).not.toMatch(canaries);
  });
});
