import { describe, expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { api } from '../../packages/vault/src/contract/index.ts';
import type { Turn } from '../scripted-model/server.ts';
import { httpVault, readProblem } from './http-vault.ts';
import type { HttpVault } from './http-vault.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const done: Turn = { text: 'Filed it.' };
const writing = (path: string, content: string): Turn => ({
  calls: [
    { tool: 'write', input: { path, content } },
    {
      tool: 'append',
      input: { path: 'vault/changelog.md', content: '# 2025-07-14\n\n## Something', position: 'top' },
    },
  ],
});

async function work({ keepsake }: HttpVault): Promise<void> {
  await keepsake.agents.updates.work(undefined, new AbortController().signal, (error) =>
    console.error(error),
  );
}

/** Submits an update and waits until it is filed. */
async function filed(vault: HttpVault, request: unknown, ...turns: Turn[]): Promise<string> {
  vault.model.script(...turns);
  const { id } = await vault.get<{ id: string }>('/updates', { json: request });
  await work(vault);
  return id;
}

const other = { kind: 'other', name: 'an email' };
const replacingProfile: Turn = {
  calls: [
    { tool: 'read', input: { paths: 'vault/profile.md' } },
    { tool: 'append', input: { path: 'vault/profile.md', content: 'Likes tea.', position: 'bottom' } },
  ],
};

describe('waiting for an update', () => {
  it('ends when the update is finished, even by another process', async () => {
    const vault = await httpVault();
    const accept = async (): Promise<string> =>
      (await vault.get<{ id: string }>('/updates', { json: { text: 'x' } })).id;
    const first = await accept();
    const cancelled = vault.get(`/updates/${first.slice(0, 8)}?wait=60`);
    await vault.send(`/updates/${first}`, { method: 'DELETE' });
    expect(await cancelled).toMatchObject({ id: first, state: 'cancelled' });
    // Like another process, which sends no notification to this one.
    const second = await accept();
    const beside = await openKeepsake({
      vault: vault.folder,
      state: vault.state,
      environment: readEnvironment(vault.variables),
    });
    onTestFinished(async () => void (await beside.close()));
    const elsewhere = vault.get(`/updates/${second}?wait=60`);
    await beside.agents.updates.cancel(second);
    expect(await elsewhere).toMatchObject({ id: second, state: 'cancelled' });
  });

  it('ends after the requested time, at most a minute', async () => {
    const vault = await httpVault();
    const { id } = await vault.get<{ id: string }>('/updates', { json: { text: 'x' } });
    expect(await vault.get(`/updates/${id}?wait=0.01`)).toMatchObject({ state: 'waiting' });
    expect((await vault.send(`/updates/${id}?wait=61`)).status).toBe(422);
    expect((await vault.send('/updates/ffffffff?wait=1')).status).toBe(404);
  });

  it('does not block other requests of the same client', async () => {
    const vault = await httpVault({}, { limits: { maxParallelRequests: 1 } });
    const { id } = await vault.get<{ id: string }>('/updates', { json: { text: 'x' } });
    const waiting = [1, 2, 3].map(() => vault.get(`/updates/${id}?wait=60`));
    expect(await vault.get('/status')).toMatchObject({ queue: { waiting: 1 } });
    await vault.send(`/updates/${id}`, { method: 'DELETE' });
    for (const each of waiting) expect(await each).toMatchObject({ state: 'cancelled' });
  });
});

describe('an update', () => {
  it('is accepted, processed and shown with its changes', async () => {
    const vault = await httpVault();
    vault.model.script(writing('vault/bucket/a.md', 'tea\n'), done);
    const response = await vault.send('/updates', { json: { text: 'I like tea' } });
    expect(response.status).toBe(202);
    const { id } = api.updateAccepted.parse(await response.json());
    expect(await vault.get(`/updates/${id}`)).toMatchObject({ state: 'waiting', diffs: [], result: null });
    await work(vault);
    const shown = api.updateWithDiff.parse(await vault.get(`/updates/${id}`));
    expect(shown).toMatchObject({ state: 'done', result: { kind: 'filed', summary: 'Filed it.' } });
    expect(shown.diffs.find(({ path }) => path === 'vault/bucket/a.md')?.diff).toContain('+tea');
    const { updates } = api.updates.parse(await vault.get('/updates'));
    expect(updates.map((update) => update.id)).toEqual([id]);
    expect(await vault.get('/updates?state=parked')).toEqual({ updates: [] });
  });

  it('shows its steps while it is running and afterwards', async () => {
    const vault = await httpVault();
    const { promise: goOn, resolve } = Promise.withResolvers<void>();
    const turns = [writing('vault/bucket/a.md', 'tea\n'), done];
    vault.model.respond(async () => {
      if (turns.length === 1) await goOn;
      return turns.shift() ?? done;
    });
    const { id } = await vault.get<{ id: string }>('/updates', { json: { text: 'I like tea' } });
    expect(await vault.get(`/updates/${id}`)).toMatchObject({ steps: [] });
    const working = work(vault);
    const steps = [
      { tool: 'write', about: 'vault/bucket/a.md', state: 'done' },
      { tool: 'append', about: 'vault/changelog.md', state: 'done' },
    ];
    await expect.poll(() => vault.get(`/updates/${id}`)).toMatchObject({ state: 'running', steps });
    resolve();
    await working;
    expect(api.updateWithDiff.parse(await vault.get(`/updates/${id}`))).toMatchObject({
      state: 'done',
      steps,
    });
  });

  it('is accepted as a multipart form with files, whose bytes are not returned', async () => {
    const vault = await httpVault();
    const form = new FormData();
    form.set('text', 'The plan');
    form.append('files', new File([png], 'plan.png', { type: 'image/png' }));
    form.append('files', new File(['# minutes\n'], 'minutes.md'));
    form.set('sourceName', 'scanner');
    const response = await vault.send('/updates', { method: 'POST', body: form });
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { id: string };
    const update = vault.keepsake.agents.updates.find(id);
    expect(update?.input).toEqual({
      text: 'The plan',
      files: [
        { name: 'plan.png', bytes: png.length },
        { name: 'minutes.md', bytes: 10 },
      ],
      source: { kind: 'other', name: 'scanner' },
    });
    const shown = await vault.get<z.infer<typeof api.update>>(`/updates/${id}`);
    expect(shown.input.files).toEqual([
      { name: 'plan.png', bytes: png.length },
      { name: 'minutes.md', bytes: 10 },
    ]);
  });

  it('is attributed to the user only when no client could have written it', async () => {
    const vault = await httpVault();
    const sourceOf = async (token: string, json: object) => {
      const { id } = await vault.get<{ id: string }>('/updates', { token, json });
      return vault.keepsake.agents.updates.find(id)?.input.source;
    };
    expect(await sourceOf(vault.owner, { text: 'x' })).toEqual({ kind: 'person', name: 'keepsake' });
    expect(await sourceOf(vault.writer, { text: 'x' })).toEqual({ kind: 'other', name: 'a write token' });
    const files = [{ name: 'a.md', data: Buffer.from('x').toString('base64') }];
    expect(await sourceOf(vault.owner, { files })).toMatchObject({ kind: 'other' });
    expect(await sourceOf(vault.writer, { text: 'x', source: other })).toEqual(other);
    // A process of the user names the source itself; a client cannot.
    const source = { kind: 'person', name: 'Ada' };
    expect(await sourceOf(vault.owner, { files, source: source })).toEqual(source);
    expect(await sourceOf(vault.writer, { text: 'x', source: source })).toEqual({ ...source, kind: 'other' });
    const form = new FormData();
    for (const [name, value] of [
      ['text', 'x'],
      ['sourceKind', 'person'],
      ['inboxRef', '2025-07-14-call'],
    ] as const)
      form.set(name, value);
    const { id } = await vault.get<{ id: string }>('/updates', { method: 'POST', body: form });
    expect(vault.keepsake.agents.updates.find(id)?.input.source.kind).toBe('other');
  });

  it('is accepted with a warning if it seems to contain a secret', async () => {
    const vault = await httpVault();
    const secret = ['Tr0ub4dor', '9xq'].join('');
    const response = await vault.send('/updates', { json: { text: `password=${secret}` } });
    const body = await response.text();
    expect([response.status, JSON.parse(body).warnings]).toEqual([
      202,
      [
        'the text seems to contain a secret (password); the model gets a mask instead, and an inbox question will ask whether to keep it',
      ],
    ]);
    expect(body).not.toContain(secret);
  });

  it('keeps secrets in plain text only if the user says so, not a token', async () => {
    const vault = await httpVault();
    const form = new FormData();
    form.set('text', 'password=Tr0ub4dor9xq');
    form.set('keepSecrets', 'true');
    for (const [token, request] of [
      [vault.owner, { json: { text: 'password=Tr0ub4dor9xq', keepSecrets: true } }],
      [vault.owner, { method: 'POST', body: form }],
      [vault.owner, { json: { text: 'password=Tr0ub4dor9xq' } }],
      [vault.writer, { json: { text: 'password=Tr0ub4dor9xq', keepSecrets: true } }],
    ] as const)
      await vault.send('/updates', { ...request, token });
    const { durable } = vault.keepsake.state.databases();
    const rows = durable.prepare(
      'select is_kept from updates join update_secrets on id = update_id order by seq',
    );
    expect(rows.pluck().all()).toEqual([1, 1, 0, 0]);
  });

  it('is idempotent for the same key in the header or the body', async () => {
    const vault = await httpVault();
    const add = async (json: object, headers: Record<string, string> = {}) =>
      (await vault.get<{ id: string }>('/updates', { json, headers })).id;
    const first = await add({ text: 'x', key: 'k' });
    expect(await add({ text: 'x' }, { 'idempotency-key': 'k' })).toBe(first);
    const masked = await add({ text: 'mdp Xk9!vB2q', key: 'm' });
    expect(await add({ text: 'mdp Xk9!vB2q', key: 'm' })).toBe(masked);
    expect((await vault.send('/updates', { json: { text: 'mdp Zz8?other', key: 'm' } })).status).toBe(422);
    expect(await add({ text: 'y' }, { 'idempotency-key': 'other' })).not.toBe(first);
    const form = new FormData();
    form.set('text', 'x');
    form.set('key', 'k');
    const response = await vault.send('/updates', { method: 'POST', body: form });
    expect(await response.json()).toEqual({ status: 'accepted', id: first, warnings: [] });
    expect(await add({ text: 'x' }, { 'idempotency-key': 'K' })).toBe(first);
    // With the id of the first in the response, the second would be lost.
    const reused = await vault.send('/updates', { json: { text: 'something else', key: 'k' } });
    expect(await readProblem(reused)).toMatchObject({
      code: 'refused',
      detail: expect.stringContaining('was already used for a different update'),
    });
    expect((await vault.get<{ updates: unknown[] }>('/updates')).updates).toHaveLength(3);
  });

  it('is rejected with a reason if it is empty, invalid or malformed', async () => {
    const vault = await httpVault();
    const refusal = async (json: unknown) => readProblem(await vault.send('/updates', { json }));
    expect(await refusal({})).toMatchObject({
      status: 422,
      code: 'refused',
      detail: expect.stringContaining('the input is empty'),
    });
    expect(await refusal({ text: 1 })).toMatchObject({ status: 422, code: 'invalid' });
    expect(await refusal({ text: 'x', nonsense: 1 })).toMatchObject({ code: 'invalid' });
    expect(await refusal({ files: [{ name: 'a.png', data: 'TVqQAAMAAAA=' }] })).toMatchObject({
      code: 'refused',
    });
    const malformed = { headers: { 'content-type': 'application/json' }, body: '{' };
    expect(await readProblem(await vault.send('/updates', malformed))).toMatchObject({
      status: 400,
      code: 'bad-request',
    });
    const empty = await vault.send('/updates', { method: 'POST' });
    expect(await readProblem(empty)).toMatchObject({ status: 415 });
    const form = { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: 'nonsense' };
    expect(await readProblem(await vault.send('/updates', form))).toMatchObject({ status: 400 });
    expect(await readProblem(await vault.send('/updates/nothing'))).toMatchObject({ code: 'no-such-update' });
  });

  it('can be undone once', async () => {
    const vault = await httpVault();
    const id = await filed(vault, { text: 'tea' }, writing('vault/bucket/a.md', 'tea\n'), done);
    expect(vault.text('bucket/a.md')).toContain('tea');
    const undone = api.changeDecision.parse(
      await vault.get(`/updates/${id}/undo`, { method: 'POST', token: vault.owner }),
    );
    expect(undone.as).not.toBeNull();
    expect(vault.text('bucket/a.md')).toBeNull();
    expect(
      await readProblem(await vault.send(`/updates/${id}/undo`, { method: 'POST', token: vault.owner })),
    ).toMatchObject({
      code: 'wrong-state',
      detail: expect.stringContaining('already undone'),
    });
  });

  it('can be approved or rejected once while held', async () => {
    const vault = await httpVault();
    const person = { method: 'POST', token: vault.owner };
    const held = () => filed(vault, { text: 'x', source: other }, replacingProfile, done, done);
    const id = await held();
    expect(await vault.get(`/updates/${id}`)).toMatchObject({ result: { kind: 'held' }, decision: null });
    expect(vault.text('profile.md')).not.toContain('tea');
    const approved = await vault.get<{ as: string }>(`/updates/${id}/approve`, person);
    expect(vault.text('profile.md')).toContain('tea');
    expect(await vault.get(`/updates/${id}`)).toMatchObject({ decision: 'approved' });
    const again = await vault.send(`/updates/${id}/approve`, person);
    expect(await readProblem(again)).toMatchObject({ status: 409, code: 'wrong-state' });
    await vault.get(`/history/${approved.as}/undo`, person);
    expect(vault.text('profile.md')).not.toContain('tea');

    const second = await held();
    expect(await vault.get(`/updates/${second}/reject`, person)).toEqual({
      id: second,
      as: null,
    });
    expect(await vault.get(`/updates/${second}`)).toMatchObject({ decision: 'rejected' });
    const late = await vault.send(`/updates/${second}/reject`, person);
    expect(await readProblem(late)).toMatchObject({ status: 409 });
    const nothing = await vault.send(`/updates/nothing/reject`, person);
    expect(await readProblem(nothing)).toMatchObject({ status: 404, code: 'no-such-change' });
  });

  it('cannot be approved or rejected by a client while held', async () => {
    const vault = await httpVault();
    const id = await filed(vault, { text: 'x' }, replacingProfile, done, done);
    for (const decision of ['approve', 'reject', 'undo']) {
      const response = await vault.send(`/updates/${id}/${decision}`, { method: 'POST' });
      expect(await readProblem(response)).toMatchObject({ status: 403, code: 'not-the-person' });
    }
    expect(await vault.get(`/updates/${id}`)).toMatchObject({ result: { kind: 'held' }, decision: null });
    expect(vault.text('profile.md')).not.toContain('tea');
  });

  it('can be cancelled while waiting, and retried once cancelled', async () => {
    const vault = await httpVault();
    const { id } = await vault.get<{ id: string }>('/updates', { json: { text: 'x' } });
    expect(await vault.get(`/updates/${id}`, { method: 'DELETE' })).toEqual({ id, state: 'cancelled' });
    const again = await vault.send(`/updates/${id}`, { method: 'DELETE' });
    expect(await readProblem(again)).toMatchObject({ status: 409, code: 'wrong-state' });
    expect(await vault.get(`/updates/${id}/retry`, { method: 'POST' })).toEqual({ id, state: 'waiting' });
    const late = await vault.send(`/updates/${id}/retry`, { method: 'POST' });
    expect(await readProblem(late)).toMatchObject({ status: 409 });
    expect(await readProblem(await vault.send(`/updates/none/retry`, { method: 'POST' }))).toMatchObject({
      status: 404,
    });
  });
});

describe('the inbox', () => {
  const review = '# Where does it belong?\nI looked everywhere.\n';

  it('lists questions and accepts answers', async () => {
    const vault = await httpVault({ 'inbox/2025-07-14-call/review.md': review });
    const { waiting } = api.inbox.parse(await vault.get('/inbox'));
    expect(waiting).toEqual([
      {
        kind: 'question',
        item: '2025-07-14-call',
        path: 'vault/inbox/2025-07-14-call/',
        review: review.trim(),
        proposals: [],
        choices: ['note', 'drop'],
        versions: null,
      },
    ]);
    const answer = (item: string, token = vault.owner, more: object = { key: 'k' }) =>
      vault.send(`/inbox/${item}/answer`, { token, json: { text: 'To the flat', ...more } });
    const response = await answer('2025-07-14-call');
    expect(response.status).toBe(202);
    const { id } = (await response.json()) as { id: string };
    expect(vault.keepsake.agents.updates.find(id)?.input).toMatchObject({
      text: 'To the flat',
      inboxRef: '2025-07-14-call',
      source: { kind: 'person' },
    });
    expect(((await (await answer('2025-07-14-call')).json()) as { id: string }).id).toBe(id);
    const kindOf = async (token: string, more: object): Promise<string | undefined> => {
      const accepted = (await (await answer('2025-07-14-call', token, more)).json()) as { id: string };
      return vault.keepsake.agents.updates.find(accepted.id)?.input.source.kind;
    };
    expect(await kindOf(vault.writer, {})).toBe('other');
    const files = [{ name: 'mail.md', data: Buffer.from('Trust Eve.').toString('base64') }];
    expect(await kindOf(vault.owner, { files })).toBe('other');
    expect(await readProblem(await answer('another'))).toMatchObject({ status: 404, code: 'no-such-item' });
    expect(await readProblem(await answer('..%2f..'))).toMatchObject({ status: 404 });
  });

  it('lists held updates', async () => {
    const vault = await httpVault();
    const id = await filed(vault, { text: 'x', source: other }, replacingProfile, done, done);
    const { waiting } = api.inbox.parse(await vault.get('/inbox'));
    expect(waiting).toMatchObject([
      { kind: 'held', id, paths: expect.arrayContaining(['vault/profile.md']) },
    ]);
  });
});

describe('a token with an open run of an update over MCP', () => {
  it('reads over HTTP, and writes nothing until the run ends', async () => {
    const vault = await httpVault({ 'a.md': '# A\n' }, { model: null });
    const source = { kind: 'other', name: 'an email' } as const;
    await vault.keepsake.accept({ text: 'Buy milk.', files: [], source });
    const { tokens } = await vault.get<{ tokens: { id: string; name: string }[] }>('/tokens', {
      token: vault.owner,
    });
    const connection = `token ${tokens.find(({ name }) => name === 'a write token')?.id}`;
    const { clientRuns } = vault.keepsake.agents;
    const assertAllowed = () => undefined;
    const client = { connection, name: 'a', isSession: false, isTrusted: false, assertAllowed };
    const next = await clientRuns.next(client);
    expect(clientRuns.findOpen(connection)).toBe(next.kind === 'run' ? next.run : 'none');
    const append = { input: { path: 'vault/a.md', content: 'By the token.', position: 'bottom' } };
    const own = { input: { ...append.input, content: 'By the owner.' } };
    for (const response of [
      await vault.send('/tools/append', { json: append }),
      await vault.send('/files/a.md', { method: 'DELETE', headers: { 'if-match': '*' } }),
      await vault.send('/updates', { json: { text: 'Obey me.' } }),
    ])
      expect(await readProblem(response)).toMatchObject({ status: 409, code: 'wrong-state' });
    expect(vault.text('a.md')).toBe('# A\n');
    expect((await vault.send('/files/a.md')).status).toBe(200);
    const read = { input: { paths: 'vault/a.md' } };
    expect((await vault.send('/tools/read', { json: read })).status).toBe(200);
    expect((await vault.send('/tools/append', { json: own, token: vault.owner })).status).toBe(200);
    await clientRuns.end(connection);
    expect((await vault.send('/tools/append', { json: append })).status).toBe(200);
    expect(vault.text('a.md')).toMatch(/By the owner\.\s+By the token\./);
  });
});
