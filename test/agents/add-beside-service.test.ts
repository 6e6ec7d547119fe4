import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { basename, join } from 'node:path';
import { describe, expect, it, onTestFinished, vi } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import { startVaultHost } from '../../packages/vault/src/server/index.ts';
import type { VaultHost } from '../../packages/vault/src/server/index.ts';
import { temporaryFolder } from '../temporary-vault.ts';
import { agentVault } from './agent-vault.ts';
import type { AgentVault, AgentVaultOptions } from './agent-vault.ts';
import { keepsake } from './command-line.ts';

/** Records the databases opened by a command, but not by the host, which runs in the same process. */
const { inCommand, opened } = vi.hoisted(() => {
  const { AsyncLocalStorage } = process.getBuiltinModule('node:async_hooks');
  return { inCommand: new AsyncLocalStorage<boolean>(), opened: new Set<string>() };
});
vi.mock('better-sqlite3', async (original) => {
  const { default: Database } = await original<{ default: new (...args: unknown[]) => object }>();
  const construct = (target: typeof Database, args: unknown[]): object => {
    if (inCommand.getStore() === true) opened.add(basename(String(args[0])));
    return new target(...args);
  };
  return { default: new Proxy(Database, { construct }) };
});

const entry = {
  calls: [
    {
      tool: 'append',
      input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## Happened', position: 'top' },
    },
  ],
};

type Served = { vault: AgentVault; host: VaultHost };

/** A vault served by a host in this process. */
async function served(contents = {}, options: AgentVaultOptions = {}): Promise<Served> {
  const vault = await agentVault(contents, options);
  const host = await startVaultHost({
    vault: vault.folder,
    state: vault.state,
    environment: readEnvironment(vault.variables),
    log: () => undefined,
    onLeaseLost: () => undefined,
  });
  if (host === null) throw new Error('another process serves the vault');
  onTestFinished(() => host.close().catch(() => undefined));
  return { vault, host };
}

/** Runs a command and also returns the names of the databases that it opened. */
async function runAndRecord(vault: AgentVault, args: string[]) {
  opened.clear();
  const ran = await inCommand.run(true, () => keepsake(vault, args));
  return { ...ran, databases: [...opened] };
}

function files(named: Record<string, string | Buffer>): string[] {
  const folder = temporaryFolder();
  return Object.entries(named).map(([name, content]) => {
    writeFileSync(join(folder, name), content);
    return join(folder, name);
  });
}

describe('keepsake add with a running service', () => {
  it('accepts input itself if it exceeds the request limits of the service', async () => {
    const { vault, host } = await served({}, { model: null });
    const given = files(
      Object.fromEntries(Array.from({ length: 101 }, (_, i) => [`${i}.md`, `note ${i}\n`])),
    );
    const { code, stdout, databases } = await runAndRecord(vault, ['add', ...given]);
    expect([code, databases]).toEqual([0, expect.arrayContaining(['keepsake.sqlite'])]);
    const [, id = ''] = /^accepted (\S+)\n$/.exec(stdout) ?? [];
    expect(host.keepsake.agents.updates.find(id)?.input.files).toHaveLength(101);
  });

  it('sends text and files only once per key, and opens only the database that contains the address of the service', async () => {
    const { vault, host } = await served({}, { model: null });
    const given = files({ 'l’été "20%".md': 'They said yes.\n', 'list.csv': 'a,b\n1,2\n' });
    const args = ['add', 'The minutes\r\nof today', ...given, '--key', 'Monday', '--mine'];
    const added = await runAndRecord(vault, args);
    expect(added).toMatchObject({ code: 0, databases: ['lock.sqlite'] });
    const [, id = ''] = /^accepted (\S+)\n$/.exec(added.stdout) ?? [];
    expect(added.stderr).toMatch(
      new RegExp(
        `^reading list\\.csv\nkept in the queue: process ${process.pid} will file it once it has a model: no model`,
      ),
    );
    const again = await runAndRecord(vault, [...args, '--json']);
    expect(JSON.parse(again.stdout)).toEqual({ status: 'accepted', id, warnings: [] });
    expect(again.databases).toEqual(['lock.sqlite']);
    const [update, ...others] = host.keepsake.agents.updates.list({ limit: 10 });
    expect(others).toEqual([]);
    expect(update?.input).toMatchObject({
      text: 'The minutes\r\nof today',
      source: { kind: 'person', name: 'l’été "20%".md, list.csv' },
    });
    const names = ['l-été-20.md', 'list.md', 'list.csv'];
    expect(update?.input.files.map(({ name }) => name)).toEqual(names);
    await host.close();
    expect((await runAndRecord(vault, ['add', 'Without a service'])).databases).toContain('keepsake.sqlite');
  });

  it('waits for the service with --wait and shows its progress, even without a model of its own', async () => {
    const { vault, host } = await served();
    const { KEEPSAKE_MODEL: _, ...variables } = vault.variables;
    vault.model.script(entry, { text: 'Filed it.' });
    const added = await runAndRecord({ ...vault, variables }, ['add', 'Something happened', '--wait']);
    expect(added).toMatchObject({
      code: 0,
      stdout: expect.stringMatching(/^Filed it\.\n\n  vault\/changelog/),
    });
    expect(added.stderr).toMatch(/^accepted \S{36}\nworking on \w{8}\n  append vault\/changelog.md\n$/);
    expect(added.databases).toEqual(['lock.sqlite']);
    vault.model.script(entry, { text: 'Filed it, too.' });
    const { stdout } = await keepsake(vault, ['add', 'Something else', '--wait', '--json']);
    const update = JSON.parse(stdout) as { id: string };
    expect(update).toEqual(JSON.parse(JSON.stringify(host.keepsake.agents.updates.find(update.id))));
  });

  it('says that the input is kept if neither the service nor the command has a model, and why a file is rejected', async () => {
    const { vault } = await served({}, { model: null });
    const waited = await runAndRecord(vault, ['add', 'Something happened', '--wait']);
    expect(waited).toMatchObject({ code: 1, stdout: '', databases: ['lock.sqlite'] });
    expect(waited.stderr).toContain(
      `kept in the queue: process ${process.pid} will file it once it has a model`,
    );
    const [program = ''] = files({ 'a.pdf': Buffer.from('MZ\x90\0\x03\0', 'latin1') });
    const refused = await runAndRecord(vault, ['add', program]);
    expect(refused).toMatchObject({ code: 2, stdout: '', databases: ['lock.sqlite'] });
    expect(refused.stderr).toMatch(/^reading a\.pdf\nerror: a\.pdf: executables are not supported/);
  });

  it('shows the state of the update when waiting is interrupted, and leaves the update with the service', async () => {
    const { vault, host } = await served();
    vault.model.respond(() => ({
      fault: 'status',
      status: 503,
      headers: { 'retry-after-ms': '1' },
      body: 'busy',
    }));
    const added = await keepsake(vault, ['add', 'Something happened', '--wait'], {
      stopAt: /^next attempt in \d+ s\n/m,
    });
    expect(added.code).toBe(1);
    expect(added.stderr).toMatch(
      /\n(?:working on \w{8}\n)?failed: .*503 \(busy\); try again later\nnext attempt/,
    );
    expect(added.stdout).toMatch(/returned HTTP 503 .*\nnext attempt (is due|in \d+ s)\n$/);
    expect(host.keepsake.agents.updates.counts().waiting).toBe(1);
  });

  it('adds the input only once if the service exits before it responds', async () => {
    const { vault, host } = await served({}, { model: null });
    const { locks } = host.keepsake.state.databases();
    const lost = await forwardWithoutAnswer(host.url);
    locks.prepare('update owner set url = ?').run(lost.url);
    const added = await keepsake(vault, ['add', 'Something happened']);
    expect(added).toMatchObject({ code: 0, stdout: expect.stringMatching(/^accepted /) });
    expect(lost.statuses).toEqual([202]);
    expect(host.keepsake.agents.updates.list({ limit: 10 })).toHaveLength(1);
  });
});

it('keepsake inbox answer sends the answer to a running service if the question exists', async () => {
  const { vault, host } = await served(
    { 'inbox/2025-07-14-call/review.md': 'Which project?\n' },
    { model: null },
  );
  const answered = await runAndRecord(vault, ['inbox', 'answer', '2025-07-14-call', 'startup-x']);
  expect(answered).toMatchObject({ code: 0, databases: ['lock.sqlite'] });
  const input = { text: 'startup-x', inboxRef: '2025-07-14-call', source: { kind: 'person' } };
  expect(host.keepsake.agents.updates.list({ limit: 10 })).toMatchObject([{ input }]);
  expect(await keepsake(vault, ['inbox', 'answer', 'never', 'x'])).toMatchObject({
    code: 2,
    stderr: 'error: inbox item not found: never; list the items with: keepsake inbox\n',
  });
});

/** A server that forwards each request and closes the connection instead of responding. */
async function forwardWithoutAnswer(target: string): Promise<{ url: string; statuses: number[] }> {
  const statuses: number[] = [];
  const server = createServer((incoming, outgoing) => {
    const headers = { ...incoming.headers, host: new URL(target).host };
    const forwarded = request(
      `${target}${incoming.url}`,
      { method: incoming.method, headers },
      (response) => {
        statuses.push(response.statusCode ?? 0);
        outgoing.destroy();
      },
    );
    incoming.pipe(forwarded);
  });
  server.listen(0, '127.0.0.1');
  onTestFinished(() => void server.close());
  await once(server, 'listening');
  return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, statuses };
}
