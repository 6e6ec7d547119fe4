import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { parseVaultPath } from '../../packages/vault/src/vault/index.ts';
import type { VaultPath } from '../../packages/vault/src/vault/index.ts';
import { agentVault } from '../agents/agent-vault.ts';
import { httpVault } from './http-vault.ts';
import type { HttpVault, Send } from './http-vault.ts';

/** A word that occurs only in the hidden files. */
const inText = 'zanzibarquokka';
const inName = 'nightjar';
const files = {
  'private/nightjar.md': `# Diary\n\nThe word is ${inText}, see [[state]].\n`,
  'private/nightjar-two.md': `# Diary, later\n\nThe word was ${inText}.\n`,
  'projects/open/state.md': '# State\n\nThe word is out.\n',
};
const excluded = "agents:\n  exclude: ['private/**']\n";

/** Resolves when the patterns apply: the configuration is cached for a tenth of a second. */
async function configure({ variables }: Pick<HttpVault, 'variables'>, text: string): Promise<void> {
  const folder = join(variables['XDG_CONFIG_HOME'] ?? '', 'keepsake');
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'config.yaml'), text);
  await sleep(150);
}

type Asking = Pick<Send, 'token' | 'headers'>;

/** A vault with a file that has been part of every kind of record and is hidden afterwards. */
async function eventfulVault(): Promise<HttpVault> {
  const vault = await httpVault(files);
  const { keepsake } = vault;
  await vault.send('/files/private/nightjar.md', {
    method: 'PUT',
    token: vault.owner,
    body: `# Diary\n\nThe word is ${inText}, again. #secretive-${inText}\n\n- [ ] Hide ${inText} 📅 2020-01-02\n- [x] Hid ${inText}\n`,
    headers: { 'content-type': 'text/markdown', 'if-match': await tagOf(vault, 'private/nightjar.md') },
  });
  const run = keepsake.writeRun('model');
  const path = parseVaultPath('private/nightjar-two.md');
  if (!path.ok) throw new Error(path.reason);
  run.transaction.remove(path.path, Buffer.from(files['private/nightjar-two.md']));
  const written = await run.transaction.commit({ origin: 'test', summary: `deleted ${path.path}` }, true);
  expect(written.kind).toBe('written');
  return vault;
}

async function tagOf(vault: HttpVault, path: string): Promise<string> {
  const response = await vault.send(`/files/${path}`, { token: vault.owner });
  return response.headers.get('etag') ?? '';
}

/** The responses of every read that does not name a hidden file. */
async function sweep(vault: HttpVault, asking: Asking, isChanging: boolean): Promise<string> {
  const responses: string[] = [];
  const ask = async (path: string, send: Send = {}): Promise<string> => {
    const response = await vault.send(path, { ...send, ...asking });
    const text = await response.text();
    responses.push(`${path}: ${response.status} ${text}`);
    return text;
  };
  for (const path of [
    '/tree',
    '/export',
    '/tree?path=projects/opne',
    '/today',
    '/tasks',
    '/tasks?status=done',
    '/tags?tag=secretive',
    '/notes',
    '/days?from=2020-01-01&to=2020-01-31',
    '/mentions?path=projects/open/state.md',
    '/calendar.ics',
    '/inbox',
    '/updates',
    '/status',
    '/backlinks?path=projects/open/state.md',
  ])
    await ask(path);
  for (const path of [
    '/history?limit=50',
    '/history?held=true&limit=50',
    '/history?path=private/x.md&limit=5',
  ])
    await ask(path);
  for (const { id } of vault.keepsake.changes.list({ limit: 50 })) {
    await ask(`/history/${id}`);
    await ask(`/updates/${id}`);
    if (isChanging) await ask(`/history/${id}/undo`, { json: {} });
  }
  await ask('/search', { json: { queries: ['the word', 'diary'], mode: 'fast' } });
  await ask('/files/private/nightja.md');
  await ask('/verify', { json: { document: '```vault/private/n.md (lines 1-1)\n1  | # Diary\n```' } });
  const tools: Record<string, unknown> = {
    tree: {},
    today: {},
    read: { paths: ['private/', 'private/nightja.md', 'projects/open/state.md'] },
    concat: { files: [{ path: 'private/nightja.md' }] },
    search: { queries: ['the word'], mode: 'fast', scopes: ['private/**', '**'] },
    ...(isChanging && {
      move: { from: 'private', to: 'projects/open/' },
      delete: { path: 'private/' },
    }),
  };
  for (const reader of ['model', 'person'] as const)
    for (const [tool, input] of Object.entries(tools))
      await ask(`/tools/${tool}`, { json: { input, reader, isConfirmed: true } });
  return responses.join('\n');
}

function linesWith(canary: string, text: string): string[] {
  return text.split('\n').filter((line) => line.includes(canary));
}

/** Created with the vault. */
const others: Record<string, (vault: HttpVault) => Asking> = {
  'a token that may read': ({ reader }) => ({ token: reader }),
  'a token that may write': ({ writer }) => ({ token: writer }),
  'a browser whose link a token made': (vault) => session(vault, vault.writer),
};

/** Set by `open`, because a session is created by a request. */
const sessions = new WeakMap<HttpVault, Map<string, Asking>>();
function session(vault: HttpVault, token: string): Asking {
  return sessions.get(vault)?.get(token) ?? {};
}

async function openSession(vault: HttpVault, token: string): Promise<Asking> {
  const { url } = await vault.get<{ url: string }>('/links', { method: 'POST', token });
  const opened = await vault.send(`//open${new URL(url).search}`, { token: null });
  const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
  const asking: Asking = {
    token: null,
    headers: { cookie, 'sec-fetch-site': 'same-origin', origin: 'http://127.0.0.1:4100' },
  };
  const known = sessions.get(vault) ?? new Map<string, Asking>();
  sessions.set(vault, known.set(token, asking));
  return asking;
}

describe('hidden files', () => {
  it('are hidden in the history of the paths from which they were moved', async () => {
    const vault = await httpVault({});
    await configure(vault, excluded);
    const { changes, restricted } = vault.keepsake;
    const after = Buffer.from(`The word is ${inText}.\n`);
    const pathOf = (text: string) => (parseVaultPath(text) as { path: VaultPath }).path;
    const [first, second, last] = ['bucket/a.md', 'bucket/b.md', 'private/b.md'].map(pathOf) as [
      VaultPath,
      VaultPath,
      VaultPath,
    ];
    const create = (path: VaultPath) => ({ kind: 'create' as const, path, after, mode: null });
    const move = (from: VaultPath, to: VaultPath) => [
      { kind: 'remove' as const, path: from, before: after, mode: null },
      create(to),
    ];
    const steps = [[create(first)], move(first, second), move(second, last), [create(first)]];
    for (const [index, step] of steps.entries())
      await changes.writer.write(step, { origin: 'test', summary: `step ${index}` });
    const all = changes.list({ limit: 10 }).filter(({ origin }) => origin === 'test');
    expect(all.map(({ summary }) => summary)).toEqual(['step 3', 'step 2', 'step 1', 'step 0']);
    const shown = restricted.changes.list({ limit: 10 }).filter(({ origin }) => origin === 'test');
    expect(shown.map(({ summary }) => summary)).toEqual(['step 3']);
    expect(all.map(({ id }) => restricted.changes.find(id) !== null)).toEqual([true, false, false, false]);
  });

  it('are not updated or revealed when a model moves a note they link to, but are updated when the user does', async () => {
    const vault = await httpVault({
      'a.md': 'a\n',
      'b.md': '[[a]]\n',
      'private/c.md': '[[a]] [a](../a.md)\n',
    });
    await configure(vault, excluded);
    const move = async (from: string, to: string, token: string): Promise<string> =>
      (await vault.send('/files/move', { token, json: { from, to } })).text();
    const result = await move('a.md', 'x/a2.md', vault.writer);
    expect(result).toContain('; updated 1 link in 1 note');
    expect(result).not.toContain('private');
    expect(vault.text('private/c.md')).toBe('[[a]] [a](../a.md)\n');
    await move('x/a2.md', 'a.md', vault.owner);
    expect(await move('a.md', 'x/a2.md', vault.owner)).toContain('; updated 3 links in 2 notes');
    expect(vault.text('private/c.md')).toBe('[[a2|a]] [a](../x/a2.md)\n');
  });

  it.each(Object.entries(others))('do not exist for %s as soon as they are configured', async (_, as) => {
    const vault = await eventfulVault();
    await openSession(vault, vault.writer);
    // Proves that the check below can fail.
    const before = await sweep(vault, as(vault), false);
    for (const canary of [inText, inName]) expect(linesWith(canary, before)).not.toEqual([]);
    await configure(vault, excluded);
    const after = await sweep(vault, as(vault), true);
    expect(linesWith('The word is out', after)).not.toEqual([]);
    for (const canary of [inText, inName]) expect(linesWith(canary, after)).toEqual([]);
  });

  it('are visible to the user, including in a browser that the user has signed in', async () => {
    const vault = await eventfulVault();
    await configure(vault, excluded);
    for (const asking of [{ token: vault.owner }, await openSession(vault, vault.owner)]) {
      expect(await (await vault.send('/tree', asking)).text()).toContain(inName);
      expect(await (await vault.send('/files/private/nightjar.md', asking)).text()).toContain(inText);
      expect(await (await vault.send('/history?limit=5', asking)).text()).toContain(inName);
    }
  });

  it('get the same responses as missing files', async () => {
    const vault = await eventfulVault();
    await configure(vault, excluded);
    const answers = async (name: string): Promise<string> => {
      const path = `private/${name}.md`;
      const requests: [string, Send?][] = [
        [`/files/${path}`],
        [`/history?path=${path}&limit=5`],
        [`/files/${path}`, { method: 'DELETE', headers: { 'if-match': '"5cda2efb7759d042"' } }],
        ['/files/move', { json: { from: path, to: 'bucket/x.md' } }],
        ['/verify', { json: { document: `\`\`\`vault/${path} (lines 1-1)\n1  | # Diary\n\`\`\`` } }],
        ...['read', 'concat', 'edit', 'append', 'write', 'delete'].map((tool): [string, Send] => [
          `/tools/${tool}`,
          {
            json: {
              input: {
                read: { paths: path },
                concat: { files: [{ path }] },
                edit: { path, old: 'Diary', new: 'x' },
                append: { path, content: 'x', position: 'top' },
                write: { path, content: 'x' },
                delete: { path },
              }[tool],
            },
          },
        ]),
      ];
      let received = '';
      for (const [address, send] of requests) {
        const response = await vault.send(address, send);
        received += `${response.status} ${(await response.text()).replace(/"requestId":"[^"]*"/, '')}\n`;
      }
      return received.replaceAll(name, '…');
    };
    expect(await answers('nightjar')).toBe(await answers('never'));
    expect(vault.text('private/nightjar.md')).toContain(inText);
  });

  it('appear in neither live nor replayed events', async () => {
    const vault = await httpVault(files);
    const listen = async (last?: string) => {
      const headers = last === undefined ? {} : { 'last-event-id': last };
      const { body } = await vault.send('/events', { token: vault.reader, headers });
      return body!.pipeThrough(new TextDecoderStream()).getReader();
    };
    const emit = (...paths: string[]): void => vault.keepsake.events.emit({ type: 'file-changed', paths });
    const stream = await listen();
    const id = /id: (\S+)/.exec((await stream.read()).value ?? '')?.[1] ?? '';
    emit('vault/private/nightjar.md', 'vault/a.md');
    expect((await stream.read()).value).toContain(inName);
    await configure(vault, excluded);
    emit('vault/private/nightjar.md');
    emit('vault/private/nightjar.md', 'vault/b.md');
    vault.keepsake.events.emit({
      type: 'update-committed',
      update: 'u',
      summary: `wrote about ${inName}`,
      paths: ['vault/private/nightjar.md'],
    });
    emit('vault/c.md');
    let received = '';
    while (!received.includes('vault/c.md')) received += (await stream.read()).value ?? 'ended vault/c.md';
    expect(received).toContain('vault/b.md');
    expect(received).not.toContain(inName);
    const again = await listen(id);
    expect((await again.read()).value).toContain('event: reset');
    for (const each of [stream, again]) await each.cancel();
  });

  it('include every file while the configuration is invalid', async () => {
    const vault = await httpVault(files);
    for (const broken of ['agents: [', 'agents:\n  exclude: [a\\b]\n', 'agents:\n  exclude: [inbox/]\n']) {
      await configure(vault, broken);
      for (const path of ['/tree', '/files/projects/open/state.md', '/inbox']) {
        const response = await vault.send(path, { token: vault.reader });
        expect(response.status).toBe(503);
        expect(await response.text()).not.toContain('The word is out');
      }
      expect((await vault.send('/tree', { token: vault.owner })).status).toBe(200);
    }
    await configure(vault, 'agents: {exclude: []}\n');
    expect((await vault.send('/tree', { token: vault.reader })).status).toBe(200);
  });

  it('make a running answer fail when their patterns change', async () => {
    const vault = await agentVault(files);
    vault.model.respond(async (_request, index) => {
      if (index === 0) return { calls: [{ tool: 'read', input: { paths: 'private/nightjar.md' } }] };
      await configure(vault, excluded);
      return { text: `It is ${inText}.\nThat is all.` };
    });
    await expect(vault.keepsake.agents.ask('Which word?', new AbortController().signal)).rejects.toThrow(
      'the hidden files changed during the search',
    );
  });
});
