import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { api } from '../../packages/vault/src/contract/index.ts';
import { httpVault } from './http-vault.ts';
import type { HttpVault } from './http-vault.ts';

const files = {
  'projects/roof/tasks.md':
    '# Pay the roofer\nstatus: to-do | prio: high\ndeadline: 2020-06-20\n\n# Choose tiles\nstatus: done\n',
  'plans.md':
    '# Plans\n\n- [ ] Call the bank 📅 2099-01-02\n- [/] Sort photos #home\n- [w] Hear from Paul\n- [x] Sell the car\n',
  'bucket/raw.md': '- [ ] Not mine\n',
};

const tasksOf = async (vault: HttpVault, query: string) => api.tasks.parse(await vault.get(`/tasks${query}`));
const titles = ({ tasks }: Awaited<ReturnType<typeof tasksOf>>) => tasks.map(({ title }) => title);

describe('GET /tasks', () => {
  it('lists unfinished tasks of every form by deadline, and filters by status, folder and deadline', async () => {
    const vault = await httpVault(files);
    const all = await tasksOf(vault, '');
    expect(titles(all)).toEqual(['Pay the roofer', 'Call the bank', 'Sort photos #home', 'Hear from Paul']);
    expect(all.folders).toEqual([
      { path: 'vault/plans.md', tasks: 3 },
      { path: 'vault/projects/roof', tasks: 1 },
    ]);
    expect(all.tasks[0]).toMatchObject({
      line: expect.any(Number) as number,
      status: 'todo',
      priority: 0,
      day: '2020-06-20',
    });
    expect(titles(await tasksOf(vault, '?status=done'))).toEqual(['Sell the car', 'Choose tiles']);
    expect(titles(await tasksOf(vault, '?status=started'))).toEqual(['Sort photos #home']);
    expect(titles(await tasksOf(vault, '?folder=projects/roof'))).toEqual(['Pay the roofer']);
    expect(titles(await tasksOf(vault, '?due=overdue'))).toEqual(['Pay the roofer']);
    expect(titles(await tasksOf(vault, '?due=none'))).toEqual(['Sort photos #home', 'Hear from Paul']);
    const one = await tasksOf(vault, '?limit=1');
    expect([one.tasks.length, one.found]).toEqual([1, 4]);
  });
});

describe('POST /tasks/change', () => {
  const expected = { title: 'Call the bank', status: 'todo', priority: 2, day: '2099-01-02' };
  const changing = (vault: HttpVault, json: object, token = vault.owner) =>
    vault.send('/tasks/change', {
      method: 'POST',
      token,
      json: { path: 'plans.md', line: 3, expected, ...json },
    });

  it('changes the line, can be undone, and is a change of its caller', async () => {
    const vault = await httpVault(files);
    const response = await changing(vault, { set: { status: 'done', day: '2099-02-03' } });
    expect(response.status).toBe(200);
    const { change } = api.taskChangeResponse.parse(await response.json());
    const file = join(vault.folder, 'plans.md');
    expect(readFileSync(file, 'utf8')).toContain(
      '- [x] Call the bank 📅 2099-02-03\n- [/] Sort photos #home\n',
    );
    expect(
      (await vault.send(`/history/${change}/undo`, { method: 'POST', token: vault.owner, json: {} })).status,
    ).toBe(200);
    expect(readFileSync(file, 'utf8')).toContain('- [ ] Call the bank 📅 2099-01-02\n');
  });

  it('adds the next one of a repeating task above it, names its day, and undoes both lines at once', async () => {
    const line = '- [ ] Pay rent 🔁 every month 📅 2099-01-31';
    const note = `# Rent\n\n${line}\n- [ ] Odd 🔁 every blue moon\n`;
    const vault = await httpVault({ 'rent.md': note });
    const tick = async (number: number, text: string) =>
      api.taskChangeResponse.parse(
        await (
          await vault.send('/tasks/change', {
            method: 'POST',
            token: vault.owner,
            json: { path: 'rent.md', line: number, expected: { text }, set: { status: 'done' } },
          })
        ).json(),
      );
    const { change, repeat } = await tick(3, line);
    expect(repeat).toEqual({ kind: 'repeated', rule: 'every month', day: '2099-02-28' });
    const file = join(vault.folder, 'rent.md');
    const next = line.replace('2099-01-31', '2099-02-28');
    expect(readFileSync(file, 'utf8')).toContain(`${next}\n${line.replace('[ ]', '[x]')}\n`);
    await vault.send(`/history/${change}/undo`, { method: 'POST', token: vault.owner, json: {} });
    expect(readFileSync(file, 'utf8')).toContain(`# Rent\n\n${line}\n- [ ] Odd`);
    expect((await tick(4, '- [ ] Odd 🔁 every blue moon')).repeat).toEqual({
      kind: 'unknown',
      rule: 'every blue moon',
      day: null,
    });
    expect(readFileSync(file, 'utf8').match(/Odd/g)).toHaveLength(1);
  });

  it('states the day on which a task was done where Obsidian would', async () => {
    const vault = await httpVault({
      'a.md': '- [ ] Pay\n',
      '.obsidian/community-plugins.json': '["obsidian-tasks-plugin"]',
    });
    const json = { path: 'a.md', line: 1, expected: { text: '- [ ] Pay' }, set: { status: 'done' } };
    await vault.send('/tasks/change', { method: 'POST', token: vault.owner, json });
    expect(readFileSync(join(vault.folder, 'a.md'), 'utf8')).toMatch(/^- \[x\] Pay ✅ \d{4}-\d\d-\d\d$/m);
  });

  it('leaves a repeating task that an editor completes to the editor', async () => {
    const vault = await httpVault({ 'a.md': '- [ ] Pay 🔁 every day 📅 2099-01-01\n' });
    const file = join(vault.folder, 'a.md');
    const ticked = '- [x] Pay 🔁 every day 📅 2099-01-01\n';
    writeFileSync(file, ticked);
    expect(titles(await tasksOf(vault, '?status=done'))).toEqual(['Pay']);
    expect(readFileSync(file, 'utf8')).toBe(ticked);
  });

  it('writes nothing if the task was changed by another program', async () => {
    const vault = await httpVault(files);
    const file = join(vault.folder, 'plans.md');
    const outside = files['plans.md'].replace('Call the bank', 'Call the other bank');
    writeFileSync(file, outside);
    const response = await changing(vault, { set: { status: 'done' } });
    expect(response.status).toBe(409);
    expect(await response.json()).toMatchObject({
      detail: expect.stringContaining('changed elsewhere') as string,
    });
    expect(readFileSync(file, 'utf8')).toBe(outside);
  });

  it('needs permission to write', async () => {
    const vault = await httpVault(files);
    expect((await changing(vault, { set: { status: 'done' } }, vault.reader)).status).toBe(403);
    expect(readFileSync(join(vault.folder, 'plans.md'), 'utf8')).toBe(files['plans.md']);
  });
});

describe('tags, pinned notes, days and mentions', () => {
  it('GET /tags counts notes and lists those of a tag and of the tags below it', async () => {
    const vault = await httpVault({
      'a.md': 'About #work/plans and #Home.\n',
      'b.md': '---\ntags: [work]\npinned: true\n---\n\n# B\n',
      'c.md': 'Also #home.\n',
    });
    const found = api.tags.parse(await vault.get('/tags?tag=work'));
    expect(found.tags).toEqual([
      { tag: expect.stringMatching(/^home$/i) as string, notes: 2 },
      { tag: 'work', notes: 1 },
      { tag: 'work/plans', notes: 1 },
    ]);
    expect(found.notes.map(({ path }) => path).toSorted()).toEqual(['vault/a.md', 'vault/b.md']);
    expect(api.notes.parse(await vault.get('/notes')).pinned.map(({ path }) => path)).toEqual(['vault/b.md']);
  });

  it('GET /days lists daily notes, changelog entries and deadlines of a period of at most 62 days', async () => {
    const vault = await httpVault({
      'daily/2026-07-14.md': '# Tuesday\n',
      'changelog.md': '# 2026-07-13\n\n## Bought tiles\nSlate.\n\n# 2026-05-01\n\n## Too early\nYes.\n',
      'plans.md': '- [ ] Pay 📅 2026-07-14\n- 2026-07-15 14:00 Dentist\n',
    });
    const { days } = api.days.parse(await vault.get('/days?from=2026-07-01&to=2026-07-31'));
    expect(days).toMatchObject([
      { day: '2026-07-13', entries: [{ heading: 'Bought tiles', line: expect.any(Number) as number }] },
      { day: '2026-07-14', notes: ['vault/daily/2026-07-14.md'], tasks: [{ title: 'Pay' }] },
      { day: '2026-07-15', tasks: [{ title: 'Dentist', time: '14:00', isAppointment: true }] },
    ]);
    const repeating = await httpVault({ 'a.md': '- 2026-01-05 10:00 Choir 🔁 every Monday\n' });
    const found = api.days.parse(await repeating.get('/days?from=2026-07-01&to=2026-07-15'));
    expect(found.days.map(({ day }) => day)).toEqual(['2026-07-06', '2026-07-13']);
    for (const period of ['from=2026-01-01&to=2026-12-31', 'from=2026-02-01&to=2026-01-01'])
      expect((await vault.send(`/days?${period}`)).status).toBe(422);
  });

  it('GET /mentions lists notes that name a note without a link', async () => {
    const vault = await httpVault({
      'oyster-beds.md': '# Oyster beds\n\nWhere they are.\n',
      'named.md': 'First.\n\nWe went to the oyster beds today.\n',
      'linked.md': 'See [[oyster-beds]], the oyster beds.\n',
      'other.md': 'Only oysters.\n',
      'projects/roof/state.md': '# Roof\n\nThe roof.\n',
      'projects/roof/tasks.md': '# Paint\nstatus: to-do | project: roof\n',
      'days.md': '# Pay\nstatus: to-do | project: roof\n\nThe project roof is late.\n',
    });
    expect(api.mentions.parse(await vault.get('/mentions?path=projects/roof/state.md')).notes).toEqual([
      { path: 'vault/days.md', line: 4, text: 'The project roof is late.' },
    ]);
    expect(api.mentions.parse(await vault.get('/mentions?path=oyster-beds.md')).notes).toEqual([
      { path: 'vault/named.md', line: 3, text: 'We went to the oyster beds today.' },
    ]);
  });
});

it('GET /notes lists recent notes by the dates they state, not by when they were copied', async () => {
  const copied = Object.fromEntries(
    Array.from({ length: 25 }, (_, index) => [`old/note-${index}.md`, 'Copied without a date.\n']),
  );
  const vault = await httpVault({
    ...copied,
    'by-property.md': '---\ndate: 2024-05-06\n---\n\nText.\n',
    'daily/2025-01-02.md': 'A day.\n',
  });
  const { recent } = api.notes.parse(await vault.get('/notes?limit=20'));
  expect(recent.map(({ path }) => path).filter((path) => /daily|property|note-0/.test(path))).toEqual([
    'vault/daily/2025-01-02.md',
    'vault/by-property.md',
    'vault/old/note-0.md',
  ]);
});
