import { createHash } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { agentVault, anEntry } from '../../../../test/agents/agent-vault.ts';
import { long, sessionEvent, start } from '../../../../test/recorded-vault.ts';
import type { SessionEvent } from '../hook/index.ts';
import { drain } from './index.ts';
import { createSessionRecords } from './session-records.ts';

async function recorded(hasModel = false) {
  const vault = await agentVault({ 'projects/x/state.md': '# State\n' }, hasModel ? {} : { model: null });
  const stateHome = join(vault.state, 'home');
  const spool = join(stateHome, 'spool');
  mkdirSync(spool, { recursive: true });
  let now = start;
  const say = (
    session: string,
    event: SessionEvent['event'],
    text: string,
    more: Partial<SessionEvent> = {},
  ): SessionEvent => {
    now += 1_000;
    const key = createHash('sha256').update(`${session} ${event} ${text}`).digest('hex').slice(0, 32);
    const part = sessionEvent({ event, session, key, at: now, vault: vault.folder, text, ...more });
    writeFileSync(join(spool, `${key}.json`), JSON.stringify(part));
    return part;
  };
  return {
    ...vault,
    spool,
    say,
    wait: (milliseconds: number) => (now += milliseconds),
    drain: () => drain({ keepsake: vault.keepsake, stateHome, hasModel: () => hasModel, clock: () => now }),
  };
}

it('drain turns a finished session into a note that search finds, and empties the spool', async () => {
  const { say, drain: work, text, keepsake, spool } = await recorded();
  say('s1', 'prompt', `Which database?\n${long}`);
  expect(await work()).toEqual({ notes: [], updates: [], dropped: 0, waiting: 0, failed: [] });
  say('s1', 'turn', '# Answer\nSQLite, as it needs no server.');
  say('s1', 'session-end', 'other');
  const { notes } = await work();
  expect(notes).toEqual([
    expect.stringMatching(/^vault\/projects\/x\/bucket\/sessions\/2026-11-16-0900-claude-code-\w{8}\.md$/),
  ]);
  const note = text(notes[0]?.slice('vault/'.length) ?? '') ?? '';
  expect(note).toContain('filed: false');
  expect(note).toContain('> Which database?');
  expect(note).toContain('\\# Answer\nSQLite, as it needs no server.');
  expect(readdirSync(spool)).toEqual([]);
  await keepsake.search.prepare('fast', () => undefined);
  const found = await keepsake.readRun('model').search({ queries: ['SQLite server'], mode: 'fast' });
  expect(found.kind === 'found' && found.passages.length).toBeGreaterThan(0);
});

it('drain ends a segment at a compaction or after half an hour without events, and drops short ones', async () => {
  const { say, drain: work, wait } = await recorded();
  say('s1', 'prompt', long);
  say('s1', 'post-compact', '- SQLite');
  say('s2', 'prompt', 'hello');
  say('s2', 'turn', 'Hello.');
  expect(await work()).toMatchObject({ notes: [expect.any(String)], dropped: 0 });
  wait(31 * 60_000);
  expect(await work()).toMatchObject({ notes: [], dropped: 1 });
});

it('drain ignores events of other vaults and incomplete files', async () => {
  const { say, drain: work, spool } = await recorded();
  say('s1', 'session-end', 'other', { vault: '/elsewhere' });
  writeFileSync(join(spool, `.${'a'.repeat(32)}.17`), '{"v":1');
  expect(await work()).toEqual({ notes: [], updates: [], dropped: 0, waiting: 0, failed: [] });
  expect(readdirSync(spool)).toHaveLength(2);
});

it('drain writes one note for a segment that is resumed after a crash', async () => {
  const { say, drain: work, spool, folder } = await recorded();
  const parts = [say('s1', 'prompt', long), say('s1', 'session-end', 'other')];
  const segment = join(spool, 'segment-0c070488-c9b2-4429-8e65-38c697e795d2');
  // Repeats a crash between the commit and the removal of the segment.
  for (let time = 0; time < 3; time += 1) {
    mkdirSync(segment);
    for (const part of parts) writeFileSync(join(segment, `${part.key}.json`), JSON.stringify(part));
    for (const part of parts) rmSync(join(spool, `${part.key}.json`), { force: true });
    expect((await work()).notes).toHaveLength(1);
  }
  expect(readdirSync(join(folder, 'projects', 'x', 'bucket', 'sessions'))).toHaveLength(1);
});

it('drain submits the sessions of a project to the model together, once per hour', async () => {
  const { say, drain: work, wait, keepsake } = await recorded(true);
  const speak = (...sessions: string[]): void => {
    for (const session of sessions) {
      say(session, 'prompt', `${session}: ${long}`);
      say(session, 'session-end', 'other');
    }
  };
  speak('s1', 's2');
  expect(await work()).toMatchObject({ updates: [expect.any(String)], waiting: 0 });
  speak('s3', 's4');
  expect(await work()).toMatchObject({ updates: [], waiting: 1 });
  wait(61 * 60_000);
  expect(await work()).toMatchObject({ updates: [expect.any(String)], waiting: 0 });
  const updates = keepsake.agents.updates.list({ limit: 10 });
  const source = { kind: 'other', name: 'Claude Code in github.com/o/x' };
  expect(updates.map(({ input }) => input.source)).toEqual([source, source]);
  const words = updates.map(({ input }) => input.text).join('\n');
  for (const session of ['s1', 's2', 's3', 's4']) expect(words.split(`> ${session}:`)).toHaveLength(2);
  expect(updates.map(({ input }) => input.session)).toMatchObject([
    { client: 'Claude Code', project: 'x', branch: null, title: expect.stringMatching(/^s4: We talked/) },
    { project: 'x', title: expect.stringMatching(/^s2: We talked/) },
  ]);
});

it('drain does not wait for the time that a wrong clock showed', async () => {
  const { say, drain: work, wait } = await recorded(true);
  const year = 365 * 24 * 60 * 60_000;
  const speak = (session: string): void => {
    say(session, 'prompt', `${session}: ${long}`);
    say(session, 'session-end', 'other');
  };
  wait(year);
  speak('ahead');
  expect(await work()).toMatchObject({ updates: [expect.any(String)] });
  wait(-year);
  speak('corrected');
  expect(await work()).toMatchObject({ updates: [expect.any(String)], waiting: 0 });
});

/** The first session was submitted, then the power failed: its segment is still there, and filed.json is damaged. */
async function afterPowerLoss(filed: string) {
  const vault = await recorded(true);
  const speak = (session: string): SessionEvent[] => [
    vault.say(session, 'prompt', `${session}: ${long}`),
    vault.say(session, 'session-end', 'other'),
  ];
  const events = speak('s1');
  expect(await vault.drain()).toMatchObject({ updates: [expect.any(String)], failed: [] });
  const file = join(vault.spool, 'filed.json');
  const [{ key }] = JSON.parse(readFileSync(file, 'utf8')) as [{ key: string }];
  const segment = join(vault.spool, `segment-${key.slice('capture:'.length)}`);
  mkdirSync(segment);
  const keep = (event: SessionEvent): void =>
    writeFileSync(join(segment, `${event.key}.json`), JSON.stringify(event));
  events.forEach(keep);
  writeFileSync(file, filed);
  vault.wait(3 * 60 * 60_000);
  const countUpdates = (session: string): number =>
    vault.keepsake.agents.updates
      .list({ limit: 100 })
      .filter(({ input }) => input.text.includes(`> ${session}:`)).length;
  return { ...vault, speak, keep, segment, countUpdates };
}

it.each(['', '[', '{}', 'null', '[null, 1, {}]', '\0\0\0'])(
  'drain files each session once after a power loss that left %j in filed.json',
  async (filed) => {
    const { speak, drain: work, wait, spool, countUpdates } = await afterPowerLoss(filed);
    speak('s2');
    for (let time = 0; time < 3; time += 1) {
      expect(await work()).toMatchObject({ failed: [] });
      wait(61 * 60_000);
    }
    expect([countUpdates('s1'), countUpdates('s2')]).toEqual([1, 1]);
    expect(readdirSync(spool)).toEqual(['filed.json']);
  },
);

it('drain files the rest of a segment to which a session was added after it was submitted', async () => {
  const { speak, keep, drain: work, wait, spool, countUpdates } = await afterPowerLoss('');
  for (const event of speak('s2')) {
    keep(event);
    rmSync(join(spool, `${event.key}.json`));
  }
  for (let time = 0; time < 3; time += 1) {
    expect(await work()).toMatchObject({ failed: [] });
    wait(61 * 60_000);
  }
  expect([countUpdates('s1'), countUpdates('s2')]).toEqual([1, 1]);
  expect(readdirSync(spool)).toEqual(['filed.json']);
});

/** Forty sessions of ten turns; twelve sessions contain a decision. */
const decisions = Array.from(
  { length: 12 },
  (_, each) => `We decided on option number ${each}-${'abcdefghijkl'[each]}.`,
);
function aSession(
  say: (session: string, event: SessionEvent['event'], text: string) => SessionEvent,
  session: number,
): void {
  for (let turn = 0; turn < 10; turn += 1) {
    const decision = turn === 5 && session % 3 === 0 ? (decisions[session / 3] ?? '') : '';
    say(`s${session}`, 'prompt', `Turn ${turn} of ${session}. ${decision}`);
    say(`s${session}`, 'turn', `Answer ${turn} of ${session}: it is as you say.`);
  }
  say(`s${session}`, 'session-end', 'other');
}

it('with a model, every decision of forty sessions is filed once, in at most twenty updates', async () => {
  const { say, drain: work, wait, keepsake, model, file, text } = await recorded(true);
  for (let session = 0; session < 40; session += 1) {
    aSession(say, session);
    wait(15 * 60_000);
    await work();
  }
  wait(61 * 60_000);
  await work();
  const updates = keepsake.agents.updates.list({ limit: 100 });
  expect(updates.length).toBeLessThanOrEqual(20);
  const filed = new Set<string>();
  model.respond(({ rawBody }) => {
    const next = decisions.find((decision) => rawBody.includes(decision) && !filed.has(decision));
    if (next === undefined) return { text: 'Filed.' };
    filed.add(next);
    return anEntry(next);
  });
  await file({ text: 'That is all.' });
  const changelog = text('changelog.md') ?? '';
  for (const decision of decisions) expect(changelog.split(decision)).toHaveLength(2);
});

it('without a model, every decision of forty sessions is written once and found by search', async () => {
  const { say, drain: work, folder, keepsake } = await recorded();
  for (let session = 0; session < 40; session += 1) aSession(say, session);
  const { notes, dropped } = await work();
  expect([notes.length, dropped]).toEqual([40, 0]);
  const all = notes.map((note) => readFileSync(join(folder, note.slice('vault/'.length)), 'utf8')).join('\n');
  for (const decision of decisions) expect(all.split(decision)).toHaveLength(2);
  await keepsake.search.prepare('fast', () => undefined);
  for (const decision of decisions) {
    const found = await keepsake.readRun('model').search({ queries: [decision], mode: 'fast' });
    expect(JSON.stringify(found)).toContain(decision);
  }
});

it('drain appends a resumed session to its note and marks the note as not filed', async () => {
  const { say, drain: work, text, folder } = await recorded();
  say('s1', 'prompt', `First. ${long}`);
  say('s1', 'session-end', 'other');
  const { notes } = await work();
  const path = notes[0]?.slice('vault/'.length) ?? '';
  writeFileSync(join(folder, path), (text(path) ?? '').replace('filed: false', 'filed: true'));
  say('s1', 'prompt', `Second. ${long}`);
  say('s1', 'session-end', 'again');
  say('s2', 'prompt', `Another. ${long}`);
  say('s2', 'session-end', 'other');
  const more = await work();
  expect(more).toMatchObject({ notes: expect.arrayContaining(notes), failed: [] });
  expect(more.notes).toHaveLength(2);
  const note = text(path) ?? '';
  expect(note.match(/> (First|Second|Another)/g)).toEqual(['> First', '> Second']);
  expect(note).toContain('filed: false');
  expect(note.match(/^# /gm)).toHaveLength(1);
});

it('drain continues with other segments when one fails, and keeps that one', async () => {
  const { say, drain: work, folder, spool } = await recorded();
  mkdirSync(join(folder, 'bucket'), { recursive: true });
  writeFileSync(join(folder, 'bucket', 'sessions'), 'in the way');
  say('s1', 'prompt', `First. ${long}`, { project: null });
  say('s1', 'session-end', 'other', { project: null });
  say('s2', 'prompt', `Second. ${long}`);
  say('s2', 'session-end', 'other');
  const { notes, failed } = await work();
  expect([notes.length, failed.length]).toEqual([1, 1]);
  rmSync(join(folder, 'bucket', 'sessions'));
  expect((await work()).notes).toHaveLength(1);
  expect(readdirSync(spool)).toEqual([]);
});

it('drain records the last turn of a session, and what it became', async () => {
  const { say, drain: work, keepsake } = await recorded();
  const records = () => createSessionRecords(keepsake);
  expect(records().find('claude-code', 's1')).toBeNull();
  say('s1', 'prompt', `First. ${long}`);
  const last = say('s1', 'turn', 'Yes.');
  say('s1', 'session-end', 'other');
  const { notes } = await work();
  const expected = { lastTurn: last.key, at: last.at, became: 'note', target: notes[0] };
  expect(records().find('claude-code', 's1')).toMatchObject(expected);
  const { id } = keepsake.changes.list({ limit: 1 })[0] ?? expect.unreachable();
  await keepsake.changes.undo(id);
  expect(records().find('claude-code', 's1')).toBeNull();
});

it('drain records every session of an update', async () => {
  const { say, drain: work, keepsake } = await recorded(true);
  for (const session of ['s1', 's2']) {
    say(session, 'prompt', `${session}: ${long}`);
    say(session, 'session-end', 'other');
  }
  const { updates } = await work();
  const records = createSessionRecords(keepsake);
  for (const session of ['s1', 's2'])
    expect(records.find('claude-code', session)).toMatchObject({ became: 'update', target: updates[0] });
});

it('drain continues a session in its note after the project of the folder changed', async () => {
  const { say, drain: work, text } = await recorded();
  say('s1', 'prompt', `First. ${long}`);
  say('s1', 'session-end', 'other');
  const { notes } = await work();
  say('s1', 'prompt', `Second. ${long}`, { project: null });
  say('s1', 'session-end', 'again', { project: null });
  expect((await work()).notes).toEqual(notes);
  expect(text(notes[0]?.slice('vault/'.length) ?? '')?.match(/> (First|Second)/g)).toHaveLength(2);
});
