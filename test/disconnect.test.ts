import { readFileSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  addEntry,
  clientNames,
  getClient,
  planConfigChange,
  writeConfigChange,
} from '../packages/vault/src/connect/index.ts';
import type { Platform, ServerEndpoint } from '../packages/vault/src/connect/index.ts';
import { removeEntry } from '../packages/vault/src/connect/with-entry.ts';
import { runCommand } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';

const stdio: ServerEndpoint = { kind: 'stdio', command: 'keepsake', args: ['mcp'] };

const linux = (home: string): Platform => ({
  platform: 'linux',
  home,
  variable: () => undefined,
  packages: [],
});

function homeWithVault(): string {
  const home = temporaryFolder();
  layOut(home, {
    'vault/.keepsake/vault.json': '{"id":"00000000-0000-4000-8000-000000000000","version":1}',
  });
  return home;
}

async function connect(home: string, args: string[], command = 'connect'): Promise<void> {
  const ran = await runCommand([command, ...args], { cwd: home, variables: { HOME: home, PATH: '' } });
  expect(ran).toMatchObject({ code: 0 });
}

describe.each(clientNames.filter((each) => getClient(each).format === 'jsonc'))(
  'disconnecting %s',
  (name) => {
    const client = getClient(name);
    const { section } = client;
    const members = (...lines: string[]): string => `{\n  "${section}": {\n${lines.join('\n')}\n  }\n}\n`;

    it.each([
      ['behind the only other entry', members('    "fs": { "command": "fs" } // pinned')],
      ['behind another entry with a comma', members('    "fs": {}, // pinned', '    "db": {} // own')],
      ['behind a trailing comma', members('    "fs": {}, // pinned', '    // end')],
      ['alone', members('    // none yet')],
      ['in front of and between the entries', members('    // a', '    "fs": {},', '    /* b */ "db": {}')],
    ])('leaves a comment %s', (_, before) => {
      expect(removeEntry(client, addEntry(client, stdio, before))).toBe(before);
    });

    it('leaves a comment on the lines around an entry that the user moved', () => {
      const mine = '    "keepsake": {"command": "keepsake"}, // memory';
      expect(removeEntry(client, members('    // top', mine, '    // next', '    "fs": {}'))).toBe(
        members('    // top // memory', '    // next', '    "fs": {}'),
      );
      expect(removeEntry(client, members('    "a": 1, // one', mine, '    "fs": {}'))).toBe(
        members('    "a": 1, // one // memory', '    "fs": {}'),
      );
    });
  },
);

describe('the bytes of a configuration file', () => {
  it.each([
    ['cursor', '{}'],
    ['cursor', '\uFEFF{\r\n\t"theme": "dark" // mine\r\n}'],
    ['cursor', '{"mcpServers":{"a":1},"theme":"dark"}'],
    ['cursor', '{ "mcpServers": { } }\n'],
    ['zed', '{\n  "theme": "dark"\n}'],
    ['codex', 'model = "x" # mine'],
    ['codex', '[mcp_servers.a]\ncommand = "a"\n\n\n'],
  ])('are those of before after %s was connected twice and disconnected: %j', async (name, before) => {
    const home = homeWithVault();
    const file = getClient(name).userConfigFile?.(linux(home)) ?? '';
    layOut(dirname(file), { [basename(file)]: before, [`${basename(file)}.backup-mine`]: '{{' });
    const args = [name, '--write', '--vault', join(home, 'vault')];
    await connect(home, args);
    await connect(home, [...args, '--read-only']);
    expect(readFileSync(file, 'utf8')).toContain('keepsake');
    await connect(home, [name], 'disconnect');
    expect(readFileSync(file, 'utf8')).toBe(before);
  });

  it('are backed up for each change, also for two in the same millisecond', () => {
    const home = homeWithVault();
    layOut(home, { '.cursor/mcp.json': '{}' });
    const place = { file: join(home, '.cursor/mcp.json'), within: home, isProject: false };
    const backups = [stdio, { ...stdio, command: 'other' }].map((server) =>
      writeConfigChange(planConfigChange(getClient('cursor'), server, place), () => 0),
    );
    expect(backups.map((path) => readFileSync(path ?? '', 'utf8').includes('keepsake'))).toEqual([
      false,
      true,
    ]);
  });

  it('include a change by the user since then', async () => {
    const home = homeWithVault();
    layOut(home, { '.cursor/mcp.json': '{}' });
    await connect(home, ['cursor', '--write', '--vault', join(home, 'vault')]);
    const file = join(home, '.cursor/mcp.json');
    writeFileSync(file, readFileSync(file, 'utf8').replace('{', '{ "theme": "dark",'));
    await connect(home, ['cursor'], 'disconnect');
    expect(readFileSync(file, 'utf8')).toContain('"theme": "dark"');
  });
});

it('says that a client was not connected', async () => {
  const home = homeWithVault();
  const disconnect = async (): Promise<string> =>
    (await runCommand(['disconnect', 'zed'], { cwd: home, variables: { HOME: home, PATH: '' } })).out;
  expect(await disconnect()).toMatch(/^nothing to disconnect: zed has no plugin and no entry/);
  await connect(home, ['zed', '--write', '--vault', join(home, 'vault')]);
  expect(await disconnect()).toMatch(/\ndisconnected zed\n$/);
  expect(await disconnect()).toMatch(/^nothing to disconnect/);
});
