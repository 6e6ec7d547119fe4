import { buffer } from 'node:stream/consumers';
import { describe, expect, it } from 'vitest';
import { ZipFile } from 'yazl';
import { host, httpVault, origin, readProblem } from './http-vault.ts';
import type { HttpVault, Send } from './http-vault.ts';

type Report = {
  kind: string;
  into: string;
  change: string | null;
  added: Record<string, number>;
  unchanged: number;
  leftOut: { count: number; items: { path: string }[] };
};

async function zip(files: Record<string, string | Buffer>): Promise<Buffer> {
  const archive = new ZipFile();
  for (const [path, content] of Object.entries(files)) archive.addBuffer(Buffer.from(content), path);
  archive.end();
  return buffer(archive.outputStream);
}

const obsidian = {
  '.obsidian/app.json': '{}',
  'Home.md': '# Home\n\nSee [[Roof]].\n',
  'Projects/Roof.md': '# Roof\n\nBeams of oak.\n',
};

let next = 0;
function upload(
  vault: HttpVault,
  bytes: Buffer,
  { dryRun = false, name = 'my notes.zip', ...send }: Send & { dryRun?: boolean; name?: string } = {},
) {
  next += 1;
  const query = new URLSearchParams({ id: `the-import-number-${next}`, name, dryRun: `${dryRun}` });
  return vault.send(`/imports?${query.toString()}`, {
    token: vault.owner,
    method: 'POST',
    body: new Uint8Array(bytes),
    ...send,
    headers: { 'content-type': 'application/zip', ...send.headers },
  });
}

async function report(response: Response): Promise<Report> {
  expect(response.status).toBe(200);
  return (await response.json()) as Report;
}

describe('importing an archive over HTTP', () => {
  it('shows the plan without writing, imports it as one change, and undoes all of it', async () => {
    const vault = await httpVault({ 'overview.md': '# Me\n' });
    const bytes = await zip(obsidian);
    const plan = await report(await upload(vault, bytes, { dryRun: true }));
    expect(plan).toMatchObject({
      kind: 'obsidian',
      into: 'vault/bucket/my-notes',
      change: null,
      added: { notes: 2, conversations: 0, documents: 0, pictures: 0, attachments: 0 },
    });
    expect((await vault.send('/files/bucket/my-notes/Home.md')).status).toBe(404);
    const done = await report(await upload(vault, bytes));
    expect(done).toMatchObject({ added: plan.added, change: expect.any(String) });
    expect(vault.text('bucket/my-notes/Projects/Roof.md')).toContain('Beams of oak.');
    const again = await report(await upload(vault, bytes, { dryRun: true }));
    expect(again).toMatchObject({ unchanged: 2, added: { notes: 0 } });
    await vault.get(`/history/${done.change}/undo`, { token: vault.owner, method: 'POST' });
    expect((await vault.send('/files/bucket/my-notes/Home.md')).status).toBe(404);
  });

  it('skips what leads out of the archive, and refuses what is no archive or too large', async () => {
    const vault = await httpVault({}, { limits: { maxArchiveBytes: 10_000 } });
    const inside = await zip({ 'aaaa.md': '# A\n', 'b.md': '# B\n' });
    // The same length, so that the archive stays valid; `a` occurs in the local and in the central header.
    const escaping = Buffer.from(inside.toString('latin1').replaceAll('aaaa.md', '../a.md'), 'latin1');
    const done = await report(await upload(vault, escaping));
    expect(done.leftOut).toMatchObject({ count: 1, items: [{ path: '../a.md' }] });
    expect(done.added['notes']).toBe(1);
    expect(await readProblem(await upload(vault, Buffer.from('no archive')))).toMatchObject({
      status: 422,
      detail: expect.stringContaining('not a readable archive'),
    });
    expect((await upload(vault, Buffer.alloc(10_001))).status).toBe(413);
    const path = '../../../etc/x.zip';
    expect(await report(await upload(vault, inside, { name: path }))).toMatchObject({
      into: 'vault/bucket/x',
    });
  });

  it('is for people who may write: not for readers and tokens', async () => {
    const vault = await httpVault();
    const bytes = await zip(obsidian);
    for (const token of [vault.writer, vault.reader, null])
      expect([401, 403]).toContain((await upload(vault, bytes, { token })).status);
    const json = { name: 'Léa', role: 'writer' };
    const { id, url } = await vault.get<{ id: string; url: string }>('/people', { token: vault.owner, json });
    const { pathname, search } = new URL(url);
    const opened = await vault.app.request(`${origin}${pathname}${search}`, { headers: { host } });
    const cookie = opened.headers.get('set-cookie')?.split(';')[0] ?? '';
    const asMember: Send = { token: null, headers: { cookie, 'sec-fetch-site': 'same-origin', origin } };
    const { change } = await report(await upload(vault, bytes, asMember));
    const { changes } = await vault.get<{ changes: { id: string; who: object }[] }>('/history', {
      token: vault.owner,
    });
    expect(changes.find((each) => each.id === change)?.who).toEqual({ kind: 'person', name: 'Léa' });
    await vault.send(`/people/${id}`, { method: 'PUT', token: vault.owner, json: { role: 'reader' } });
    expect((await upload(vault, bytes, asMember)).status).toBe(403);
  });

  it('reports the progress of a running import only', async () => {
    const vault = await httpVault();
    const asking = { token: vault.owner };
    const running = upload(vault, await zip(obsidian));
    expect((await vault.send('/imports/the-import-number-0', asking)).status).toBe(404);
    expect((await vault.send('/imports/the-import-number-1', { token: vault.reader })).status).toBe(403);
    await running;
    expect((await vault.send(`/imports/the-import-number-${next}`, asking)).status).toBe(404);
  });
});
