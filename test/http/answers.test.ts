import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import Database from 'better-sqlite3';
import { describe, expect, it, onTestFinished } from 'vitest';
import type { z } from 'zod';
import { openKeepsake, readEnvironment } from '../../packages/vault/src/app/index.ts';
import { api } from '../../packages/vault/src/contract/index.ts';
import { createHttpApp, openTokens } from '../../packages/vault/src/server/index.ts';
import { looking } from '../agents/agent-vault.ts';
import { toUrl, host, httpVault, readProblem } from './http-vault.ts';
import type { HttpVault } from './http-vault.ts';

const files = { 'notes.md': '# Notes\none\ntwo\nthree\n' };
const overview = 'It is one. [1]\nIt is in the notes.';
const concat = {
  text: overview,
  calls: [{ tool: 'concat', input: { files: [{ path: 'vault/notes.md', lines: '2-3' }] } }],
};

type Kept = z.output<typeof api.savedAnswer>;
const asPerson = (vault: HttpVault) => ({ token: vault.owner });

async function begin(
  vault: HttpVault,
  question: string,
  more: object = {},
  token = vault.owner,
): Promise<Kept> {
  const response = await vault.send('/answers', { token, json: { question, keep: true, ...more } });
  expect(response.status).toBe(202);
  return api.savedAnswer.parse(await response.json());
}

async function show(vault: HttpVault, id: string, token = vault.owner): Promise<Kept> {
  return api.savedAnswer.parse(await vault.get(`/answers/${id}`, { token }));
}

async function whenOver(vault: HttpVault, id: string, token = vault.owner): Promise<Kept> {
  for (;;) {
    const answer = await show(vault, id, token);
    if (answer.state !== 'running') return answer;
    await sleep(5);
  }
}

/** Parses an event stream into names, data and ids. */
function eventsIn(text: string): { id: string | undefined; event: string; data: unknown }[] {
  return text
    .split('\n\n')
    .filter((part) => part.includes('event: '))
    .map((part) => ({
      id: /^id: (.*)$/m.exec(part)?.[1],
      event: /^event: (.*)$/m.exec(part)?.[1] ?? '',
      data: JSON.parse(/^data: (.*)$/m.exec(part)?.[1] ?? 'null'),
    }));
}

describe('a stored answer', () => {
  it('is about the folder in front of the question, and so is a follow-up', async () => {
    const vault = await httpVault({
      'projects/roof/state.md': '# Roof\n\nThe supplier comes in June.\n',
      'projects/well/state.md': '# Well\n\nThe supplier comes in May.\n',
    });
    const search = { calls: [{ tool: 'search', input: { queries: ['supplier'], mode: 'fast' } }] };
    const read = {
      calls: [{ tool: 'read', input: { paths: ['projects/well/state.md', 'projects/roof/state.md'] } }],
    };
    const cite = {
      text: 'In June. [1]',
      calls: [{ tool: 'concat', input: { files: [{ path: 'vault/projects/roof/state.md', lines: '3' }] } }],
    };
    vault.model.script(search, read, cite, search, cite);
    const asked = vault.model.requests.length;
    const { id } = await begin(vault, 'projects/roof/ When does the supplier come?');
    expect(await whenOver(vault, id)).toMatchObject({ state: 'done', by: 'agent' });
    const next = await begin(vault, 'And who pays?', { follows: id });
    expect((await whenOver(vault, next.id)).state).toBe('done');
    const requests = JSON.stringify(vault.model.requests.slice(asked).map(({ body }) => body));
    expect(requests).toContain('comes in June');
    expect(requests).not.toContain('comes in May');
    expect(requests).toContain('Question:\\n\\nWhen does the supplier come?');
    // A path that is no folder is part of the question.
    vault.model.script(search, cite);
    await whenOver(vault, (await begin(vault, 'and/or/ What else?')).id);
    expect(JSON.stringify(vault.model.requests.at(-1)?.body)).toContain('and/or/ What else?');
  });

  it('of an earlier version gets the numbers of its blocks', async () => {
    const vault = await httpVault(files);
    vault.model.script(concat);
    const { id } = await begin(vault, 'What is there?');
    await whenOver(vault, id);
    const database = new Database(join(vault.state, 'keepsake.sqlite'));
    const outcome = `json_remove(outcome, '$.answer.found', '$.answer.unsupported', '$.answer.blocks[0].number')`;
    database.prepare(`update answers set outcome = ${outcome}`).run();
    database.close();
    expect((await show(vault, id)).answer).toMatchObject({
      found: 'yes',
      unsupported: [],
      blocks: [{ number: 1, text: 'one\ntwo' }],
    });
  });

  it('continues without a client and is listed with its steps afterwards', async () => {
    const vault = await httpVault(files);
    vault.model.script(looking, concat);
    const begun = await begin(vault, 'What is there?');
    expect(begun).toMatchObject({
      state: 'running',
      question: 'What is there?',
      answer: null,
      follows: null,
    });
    const answer = await whenOver(vault, begun.id);
    expect(answer).toMatchObject({
      state: 'done',
      by: 'agent',
      problem: null,
      thread: [begun.id],
      answer: { overview, isCited: true },
      steps: [
        { tool: 'search', state: 'done' },
        { tool: 'concat', state: 'done' },
      ],
    });
    expect(api.savedAnswers.parse(await vault.get('/answers', asPerson(vault))).answers).toMatchObject([
      { id: begun.id, question: 'What is there?', state: 'done', by: 'agent', sources: 1 },
    ]);
  });

  it('streams all steps, the text so far and the answer to a late client', async () => {
    const vault = await httpVault(files);
    const { promise: go, resolve } = Promise.withResolvers<void>();
    onTestFinished(() => resolve());
    vault.model.respond(async (_, index) => {
      if (index > 0) await go;
      return index === 0 ? looking : concat;
    });
    const { id } = await begin(vault, 'What is there?');
    await expect.poll(() => vault.model.requests.length).toBe(2);
    const follow = (last?: string) =>
      vault.send(`/answers/${id}/events`, {
        token: vault.owner,
        ...(last !== undefined && { headers: { 'last-event-id': last } }),
      });
    const [all, rest] = await Promise.all([follow(), follow('1')]);
    resolve();
    const events = eventsIn(await all.text());
    const steps = events.filter(({ event }) => event === 'step');
    expect(steps.map((each) => each.id)).toEqual(steps.map((_, index) => `${index + 1}`));
    expect(steps[0]?.data).toMatchObject({ type: 'answer-started', run: id });
    expect(steps.map(({ data }) => api.event.parse(data).type)).toContain('tool-finished');
    expect(events.findLast(({ event }) => event === 'text')?.data).toEqual({ text: overview });
    expect(events.at(-1)).toMatchObject({
      event: 'answer',
      data: { id, state: 'done', answer: { overview } },
    });
    expect(eventsIn(await rest.text())[0]?.id).toBe('2');
    // For a finished answer, the stream has only the answer.
    expect(eventsIn(await (await follow()).text())).toMatchObject([
      { event: 'answer', data: { id, state: 'done' } },
    ]);
  });

  it('reports why it failed, or that it was stopped', async () => {
    const vault = await httpVault(files);
    vault.model.script({ fault: 'status', status: 401, body: '{}' }, { fault: 'hang' });
    const failed = await whenOver(vault, (await begin(vault, 'What?')).id);
    expect(failed).toMatchObject({ state: 'failed', answer: null, problem: { code: 'model-failed' } });
    const { id } = await begin(vault, 'And now?');
    await expect.poll(() => vault.model.requests.length).toBe(2);
    // Another principal cannot stop it.
    await readProblem(await vault.send(`/answers/${id}/stop`, { method: 'POST', token: vault.reader }));
    expect((await show(vault, id)).state).toBe('running');
    await vault.send(`/answers/${id}/stop`, { method: 'POST', token: vault.owner });
    expect(await whenOver(vault, id)).toMatchObject({ state: 'stopped', problem: null });
  });

  it('is marked interrupted when the server stops before it completes', async () => {
    const vault = await httpVault(files);
    vault.model.script({ fault: 'hang' });
    const { id } = await begin(vault, 'What is there?');
    await expect.poll(() => vault.model.requests.length).toBe(1);
    const environment = readEnvironment(vault.variables);
    const keepsake = await openKeepsake({ vault: vault.folder, state: vault.state, environment });
    onTestFinished(async () => void (await keepsake.close()));
    const next = createHttpApp({
      keepsake,
      environment,
      auth: vault.auth,
      clock: Date.now,
      vaultName: 'notes',
      mcp: null,
      log: () => undefined,
      version: '0',
      model: () => ({ name: 'test/model', hasPrices: false }),
    });
    const headers = { host, authorization: `Bearer ${vault.owner}` };
    const shown = await next.request(toUrl(`/answers/${id}`), { headers });
    expect(await shown.json()).toMatchObject({ id, state: 'interrupted', answer: null, steps: [] });
    const events = await next.request(toUrl(`/answers/${id}/events`), { headers });
    expect(eventsIn(await events.text())).toMatchObject([
      { event: 'answer', data: { state: 'interrupted' } },
    ]);
    // It was not interrupted by this server.
    await vault.send(`/answers/${id}/stop`, { method: 'POST', token: vault.owner });
    await whenOver(vault, id);
  });

  it('is visible only to the user or token that asked', async () => {
    const vault = await httpVault(files);
    vault.model.script(looking, concat, looking, concat);
    const own = await whenOver(vault, (await begin(vault, 'Mine?')).id);
    const { id } = await begin(vault, 'Of a program?', {}, vault.reader);
    await whenOver(vault, id, vault.reader);
    const list = async (token: string) =>
      api.savedAnswers.parse(await vault.get('/answers', { token })).answers.map((each) => each.id);
    expect(await list(vault.owner)).toEqual([own.id]);
    expect(await list(vault.reader)).toEqual([id]);
    expect(await list(vault.writer)).toEqual([]);
    for (const path of ['', '/events'])
      expect(
        await readProblem(await vault.send(`/answers/${own.id}${path}`, { token: vault.reader })),
      ).toMatchObject({ status: 404, code: 'no-such-answer' });
    const follows = { question: 'And?', follows: own.id };
    expect(
      await readProblem(await vault.send('/answers', { token: vault.reader, json: follows })),
    ).toMatchObject({ code: 'no-such-answer' });
    expect(await readProblem(await vault.send(`/answers/${own.id}`, { method: 'DELETE' }))).toMatchObject({
      code: 'no-such-answer',
    });
    expect(await vault.get('/answers', { method: 'DELETE' })).toEqual({ removed: 0 });
    expect(await list(vault.owner)).toEqual([own.id]);
  });

  it('is hidden from the token that asked when the exclusion patterns change', async () => {
    const vault = await httpVault(files);
    vault.model.script(looking, concat);
    const { id } = await begin(vault, 'What?', {}, vault.reader);
    await whenOver(vault, id, vault.reader);
    const file = join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake/config.yaml');
    writeFileSync(file, 'agents:\n  exclude: [private/**]\n');
    await expect
      .poll(async () => (await vault.send(`/answers/${id}`, { token: vault.reader })).status, {
        timeout: 30_000,
      })
      .toBe(404);
    expect(await vault.get('/answers', { token: vault.reader })).toEqual({ answers: [] });
  });

  it('accepts a follow-up question, which is sent with the previous turns', async () => {
    const vault = await httpVault(files);
    vault.model.script(looking, concat, looking, concat);
    const first = await whenOver(vault, (await begin(vault, 'What is there?')).id);
    const second = await whenOver(vault, (await begin(vault, 'And what else?', { follows: first.id })).id);
    expect(second).toMatchObject({ follows: first.id, thread: [first.id, second.id] });
    const request = JSON.stringify(vault.model.requests[2]?.body);
    for (const part of ['What is there?', 'It is one. [1]', '2  | one', 'And what else?'])
      expect(request).toContain(part);
    // Once the exclusion patterns change, the model does not get its previous answers again.
    const file = join(vault.variables['XDG_CONFIG_HOME'] ?? '', 'keepsake/config.yaml');
    writeFileSync(file, 'agents:\n  exclude: [notes.md]\n');
    await expect.poll(() => vault.keepsake.restricted.visibilityKey(), { timeout: 30_000 }).toBe('notes.md');
    vault.model.script(looking, { text: 'Nothing.\nI searched.' });
    const before = vault.model.requests.length;
    await whenOver(vault, (await begin(vault, 'Is that all?', { follows: second.id })).id);
    const later = JSON.stringify(vault.model.requests.slice(before).map(({ body }) => body));
    expect(later).toContain('And what else?');
    expect(later.includes('It is one.')).toBe(false);
  });

  it('can be deleted, singly or all at once', async () => {
    const vault = await httpVault(files, { model: null });
    const ids = [];
    for (const question of ['one', 'two', 'three'])
      ids.push((await whenOver(vault, (await begin(vault, question)).id)).id);
    expect(await vault.get(`/answers/${ids[0]}`, { method: 'DELETE', token: vault.owner })).toEqual({
      removed: 1,
    });
    expect((await vault.send(`/answers/${ids[0]}`, asPerson(vault))).status).toBe(404);
    expect(await vault.get('/answers', { method: 'DELETE', token: vault.owner })).toEqual({ removed: 2 });
    expect(await vault.get('/answers', asPerson(vault))).toEqual({ answers: [] });
  });

  it('can be saved as a note in the bucket, which can be verified and undone', async () => {
    const vault = await httpVault(files);
    vault.model.script(looking, concat);
    const { id, askedAt } = await whenOver(vault, (await begin(vault, 'Why is it one? Because of two!')).id);
    const filed = api.answerExport.parse(
      await vault.get(`/answers/${id}/file`, { method: 'POST', token: vault.owner }),
    );
    expect(filed.path).toMatch(/^vault\/bucket\/\d{4}-\d\d-\d\d-why-is-it-one-because-of-two\.md$/);
    expect(askedAt).toBeGreaterThan(0);
    const text = readFileSync(join(vault.folder, filed.path.replace('vault/', '')), 'utf8');
    expect(text).toContain('# Why is it one? Because of two!\n\nIt is one. [1]\n');
    const checked = await vault.get('/verify', { token: vault.owner, json: { document: text } });
    expect(checked).toMatchObject({ blocks: [{ path: 'vault/notes.md', state: 'same' }] });
    const again = await vault.get<{ path: string }>(`/answers/${id}/file`, {
      method: 'POST',
      token: vault.owner,
    });
    expect(again.path).toBe(filed.path.replace('.md', '-2.md'));
    await vault.get(`/history/${filed.change}/undo`, { method: 'POST', token: vault.owner, json: {} });
    expect((await vault.send(`/files/${filed.path}`)).status).toBe(404);
  });

  it('is evicted when the limit is reached or its token is revoked', async () => {
    const vault = await httpVault(files, { model: null });
    const tokens = openTokens(vault.keepsake);
    const { secret, id: token } = tokens().create('short-lived', 'read');
    const { id: lost } = await begin(vault, 'x', {}, secret);
    await whenOver(vault, lost, secret);
    const { durable } = vault.keepsake.state.databases();
    const first = await whenOver(vault, (await begin(vault, 'The first?')).id);
    durable
      .prepare(
        `with recursive n (i) as (select 1 union all select i + 1 from n where i < 499)
         insert into answers select 'id-' || i, 'person', 'id-' || i, null, 'q', asked_at + i, '', 'done', 'search', 0, outcome, 10
         from n, answers where id = ?`,
      )
      .run(first.id);
    tokens().revoke(token);
    const { id } = await begin(vault, 'The last?');
    const left = durable.prepare('select id from answers').pluck().all();
    expect(left).toHaveLength(500);
    expect(left).toContain(id);
    expect(left).not.toContain(first.id);
    expect(left).not.toContain(lost);
    // The limit on bytes applies, too, whatever their number.
    durable.prepare("update answers set bytes = 11000000 where id in ('id-498', 'id-499')").run();
    await begin(vault, 'One more?');
    expect(durable.prepare("select id from answers where id like 'id-%'").pluck().all()).toEqual(['id-499']);
  });
});
