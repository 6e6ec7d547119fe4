import { describe, expect, it } from 'vitest';
import { host, httpVault, origin, readProblem } from './http-vault.ts';
import type { HttpVault, Send } from './http-vault.ts';

type Person = { id: string; name: string; role: string; isInvited: boolean; url: string };
type Role = 'owner' | 'writer' | 'reader';

const json = { 'content-type': 'application/json' };

async function invited(vault: HttpVault, name: string, role: Role): Promise<Person> {
  return vault.get<Person>('/people', { token: vault.owner, json: { name, role } });
}

/** The session cookie that a browser gets from a link. */
async function cookieFrom(vault: HttpVault, url: string): Promise<string | null> {
  const { pathname, search } = new URL(url);
  const opened = await vault.app.request(`${origin}${pathname}${search}`, { headers: { host } });
  return opened.headers.get('set-cookie')?.split(';')[0] ?? null;
}

/** Sends requests as a browser with this cookie. */
async function member(vault: HttpVault, name: string, role: Role) {
  const person = await invited(vault, name, role);
  const cookie = (await cookieFrom(vault, person.url)) ?? '';
  expect(cookie).not.toBe('');
  const ask = (path: string, { headers, ...options }: Send = {}): Promise<Response> =>
    vault.send(path, {
      ...options,
      token: null,
      headers: { cookie, 'sec-fetch-site': 'same-origin', origin, ...headers },
    });
  return { person, cookie, ask };
}

const write = {
  method: 'PUT',
  body: '# New\n',
  headers: { ...json, 'content-type': 'text/markdown', 'if-none-match': '*' },
};
const tool = { json: { input: { path: 'bucket/tool.md', content: 'x\n' } } };

describe('an invited member', () => {
  it('signs in once with the invitation link', async () => {
    const vault = await httpVault({ 'a.md': '# A\n' });
    const person = await invited(vault, 'Léa', 'reader');
    expect(person).toMatchObject({ name: 'Léa', role: 'reader', isInvited: true });
    expect(await cookieFrom(vault, person.url)).toContain('keepsake-');
    expect(await cookieFrom(vault, person.url)).toBeNull();
    const { people } = await vault.get<{ people: Person[] }>('/people', { token: vault.owner });
    expect(people).toEqual([expect.objectContaining({ id: person.id, isInvited: false })]);
    const again = await vault.get<{ url: string }>(`/people/${person.id}/links`, {
      token: vault.owner,
      method: 'POST',
    });
    expect(await cookieFrom(vault, again.url)).toContain('keepsake-');
  });

  it('with role reader, can read but not write through HTTP, tools or MCP', async () => {
    const vault = await httpVault({ 'a.md': '# A\n' });
    const { ask } = await member(vault, 'Léa', 'reader');
    expect((await ask('/files/a.md')).status).toBe(200);
    expect((await ask('/verify', { json: { document: 'x' } })).status).toBe(200);
    expect(await (await ask('//mcp', { json: {} })).json()).toMatchObject({ scope: 'read' });
    const refused = [
      await ask('/files/new.md', write),
      await ask('/tools/write', tool),
      await ask('/updates', { json: { text: 'remember' } }),
      await ask('/links', { method: 'POST' }),
      await ask('/files/move', { json: { from: 'a.md', to: 'b.md' } }),
    ];
    for (const response of refused)
      expect(await readProblem(response)).toMatchObject({ code: 'wrong-scope' });
  });

  it('with role writer, writes under their own name but cannot do what is reserved for owners', async () => {
    const vault = await httpVault({ 'a.md': '# A\n' });
    const { ask } = await member(vault, 'Léa', 'writer');
    expect((await ask('/files/new.md', write)).status).toBe(201);
    expect(
      (await ask('/tools/write', { json: { ...tool.json, reader: 'person', origin: 'web' } })).status,
    ).toBe(200);
    const { changes } = await vault.get<{ changes: { who: object }[] }>('/history', { token: vault.owner });
    expect(changes.map(({ who }) => who)).toEqual([
      { kind: 'person', name: 'Léa' },
      { kind: 'person', name: 'Léa' },
    ]);
    const others = [
      await ask('/people'),
      await ask('/people', { json: { name: 'X', role: 'owner' } }),
      await ask('/tokens'),
      await ask('/tokens', { json: { name: 'x', scope: 'write' } }),
      await ask('/model'),
      await ask('/exclusions', { method: 'PUT', json: { patterns: [] } }),
      await ask('/clients'),
      await ask('/sessions', { method: 'DELETE' }),
      await ask('/forget/plan', { json: { kind: 'words', words: ['secret'] } }),
      await ask('/forget', { json: { target: { kind: 'path', path: 'a.md', lines: null }, shown: '' } }),
    ];
    for (const response of others)
      expect(await readProblem(response)).toMatchObject({ code: 'not-the-owner' });
    // A link that they create for another device has no more permissions than they have.
    const { url } = (await (await ask('/links', { method: 'POST' })).json()) as { url: string };
    const cookie = (await cookieFrom(vault, url)) ?? '';
    const phone = await vault.send('/people', {
      token: null,
      headers: { cookie, 'sec-fetch-site': 'same-origin' },
    });
    expect(await readProblem(phone)).toMatchObject({ code: 'not-the-owner' });
  });

  it('with role writer, asks to forget words and waits for an owner, who may be invited', async () => {
    const note = '# House\n\nThe neighbour is called Kornblume.\n';
    const vault = await httpVault({ 'bucket/house.md': note });
    const [writer, owner] = [await member(vault, 'Léa', 'writer'), await member(vault, 'Ada', 'owner')];
    vault.model.script({ text: 'I do not know.' });
    const text = 'Forget that the neighbour is called Kornblume.';
    const { id } = await vault.file({ text, source: { kind: 'person', name: 'Léa' } });
    const target = { kind: 'request', id };
    const plan = await owner.ask('/forget/plan', { json: target });
    const { shown } = (await plan.json()) as { shown: string };
    const refused = { status: 403, code: 'not-the-owner' };
    const approved = await writer.ask(`/updates/${id}/approve`, { method: 'POST' });
    expect(await readProblem(approved)).toMatchObject(refused);
    const forget = (by: typeof owner) => by.ask('/forget', { json: { target, shown } });
    expect(await readProblem(await forget(writer))).toMatchObject(refused);
    expect(vault.text('bucket/house.md')).toBe(note);
    expect((await forget(owner)).status).toBe(200);
    expect(vault.text('bucket/house.md')).not.toContain('Kornblume');
  });

  it('undoes and restores under their own name, and has their own status', async () => {
    const vault = await httpVault({ 'a.md': '# A\n' });
    const { ask } = await member(vault, 'Léa', 'writer');
    const owner = { token: vault.owner };
    const { change } = await vault.get<{ change: string }>('/files/new.md', { ...owner, ...write });
    const undone = await ask(`/history/${change}/undo`, { json: {} });
    expect(undone.status).toBe(200);
    await ask(`/history/${change}/restore`, { json: { path: 'new.md' } });
    const { changes } = await vault.get<{ changes: { who: object }[] }>('/history', owner);
    expect(changes.map(({ who }) => who)).toEqual([
      { kind: 'person', name: 'Léa' },
      { kind: 'person', name: 'Léa' },
      expect.not.objectContaining({ name: 'Léa' }),
    ]);
    expect(await (await ask('/status')).json()).toMatchObject({
      role: 'writer',
      canWrite: true,
      member: 'Léa',
    });
    const reader = await member(vault, 'Tom', 'reader');
    expect(await (await reader.ask('/status')).json()).toMatchObject({ canWrite: false, member: 'Tom' });
    expect(await vault.get('/status', owner)).toMatchObject({ role: 'owner', canWrite: true, member: null });
  });

  it('sees who else has the vault open, and clients do not', async () => {
    const vault = await httpVault();
    const [lea, tom] = [await member(vault, 'Léa', 'reader'), await member(vault, 'Tom', 'writer')];
    const streams = [await lea.ask('/events'), await lea.ask('/events'), await tom.ask('/events')];
    const here = async (response: Promise<Response>) =>
      ((await (await response).json()) as { here: string[] }).here;
    expect(await here(tom.ask('/status'))).toEqual(['Léa']);
    expect(await here(lea.ask('/status'))).toEqual(['Tom']);
    expect(await here(vault.send('/status', { token: vault.owner }))).toEqual(['Léa', 'Tom']);
    expect(await here(vault.send('/status', { token: vault.reader }))).toEqual([]);
    for (const stream of streams) await stream.body?.cancel();
    expect(await here(tom.ask('/status'))).toEqual([]);
  });

  it('with role owner, can invite members and see tokens and settings, but not change the machine', async () => {
    const vault = await httpVault();
    const { ask } = await member(vault, 'Ada', 'owner');
    expect((await ask('/people', { json: { name: 'Léa', role: 'reader' } })).status).toBe(201);
    expect((await ask('/tokens')).status).toBe(200);
    expect((await ask('/model')).status).toBe(200);
    const refused = await ask('/exclusions', { method: 'PUT', json: { patterns: [] } });
    expect(await readProblem(refused)).toMatchObject({ status: 403, code: 'not-the-operator' });
  });

  it('sees only their own answers', async () => {
    const vault = await httpVault({ 'a.md': '# A\n' }, { model: null });
    const { ask } = await member(vault, 'Léa', 'reader');
    const { id } = (await (await ask('/answers', { json: { question: 'What?', keep: true } })).json()) as {
      id: string;
    };
    expect((await ask(`/answers/${id}`)).status).toBe(200);
    expect((await vault.send(`/answers/${id}`, { token: vault.owner })).status).toBe(404);
  });

  it('is affected immediately by a role change and by removal', async () => {
    const vault = await httpVault({ 'a.md': '# A\n' }, { limits: { revalidateIntervalMs: 5 } });
    const { ask, person, cookie } = await member(vault, 'Léa', 'writer');
    const streams = [await ask('/events'), await ask('/events')];
    const role = { method: 'PUT', json: { role: 'reader' }, token: vault.owner };
    expect((await vault.send(`/people/${person.id}`, role)).status).toBe(204);
    // Streams opened under the old role are closed.
    for (const stream of streams) await stream.text();
    expect(await readProblem(await ask('/files/new.md', write))).toMatchObject({ code: 'wrong-scope' });
    const last = await ask('/events');
    const out = { method: 'DELETE', token: vault.owner };
    expect((await vault.send(`/people/${person.id}`, out)).status).toBe(204);
    await last.text();
    expect((await ask('/files/a.md')).status).toBe(401);
    expect(vault.auth.authenticate(new Headers({ cookie }))).toBeNull();
    expect((await vault.send(`/people/${person.id}`, out)).status).toBe(404);
  });

  it('loses the invitations that they created when they are removed or no longer an owner', async () => {
    const vault = await httpVault();
    for (const end of [{ method: 'DELETE' }, { method: 'PUT', json: { role: 'writer' } }]) {
      const { ask, person } = await member(vault, 'Eve', 'owner');
      const guest = (await (
        await ask('/people', { json: { name: 'Guest', role: 'owner' } })
      ).json()) as Person;
      const other = await invited(vault, 'Ada', 'owner');
      const link = await ask(`/people/${other.id}/links`, { method: 'POST' });
      const { url } = (await link.json()) as { url: string };
      expect((await vault.send(`/people/${person.id}`, { ...end, token: vault.owner })).status).toBe(204);
      expect([await cookieFrom(vault, guest.url), await cookieFrom(vault, url)]).toEqual([null, null]);
    }
  });

  it('can do no more with a token than with their role, and nothing after removal', async () => {
    const vault = await httpVault({ 'a.md': '# A\n' });
    const { ask, person } = await member(vault, 'Eve', 'owner');
    const created = await ask('/tokens', { json: { name: 'script', scope: 'write' } });
    const { secret: token } = (await created.json()) as { secret: string };
    const link = await vault.get<{ url: string }>('/links', { method: 'POST', token });
    const cookie = (await cookieFrom(vault, link.url)) ?? '';
    const headers = { cookie, 'sec-fetch-site': 'same-origin', origin };
    expect((await vault.send('/files/new.md', { ...write, token })).status).toBe(201);
    const role = { method: 'PUT', json: { role: 'reader' }, token: vault.owner };
    expect((await vault.send(`/people/${person.id}`, role)).status).toBe(204);
    expect(await readProblem(await vault.send('/tools/write', { ...tool, token }))).toMatchObject({
      code: 'wrong-scope',
    });
    expect(
      await readProblem(await vault.send('/tools/write', { ...tool, token: null, headers })),
    ).toMatchObject({ code: 'wrong-scope' });
    expect((await vault.send('/files/a.md', { token })).status).toBe(200);
    const out = { method: 'DELETE', token: vault.owner };
    expect((await vault.send(`/people/${person.id}`, out)).status).toBe(204);
    expect((await vault.send('/files/a.md', { token })).status).toBe(401);
    expect((await vault.send('/files/a.md', { token: null, headers })).status).toBe(401);
    const { tokens } = await vault.get<{ tokens: { name: string }[] }>('/tokens', { token: vault.owner });
    expect(tokens.map(({ name }) => name)).not.toContain('script');
  });

  it('cannot be invited by a client with an API token', async () => {
    const vault = await httpVault();
    for (const token of [vault.writer, vault.reader]) {
      const response = await vault.send('/people', { token, json: { name: 'X', role: 'owner' } });
      expect((await readProblem(response)).status).toBe(403);
    }
  });
});
