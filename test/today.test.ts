import { globSync, readFileSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, it } from 'vitest';
import { formatToday, todayOutput } from '../packages/vault/src/contract/index.ts';
import type { TodayValue } from '../packages/vault/src/contract/index.ts';
import { tools } from '../packages/vault/src/tools/index.ts';
import { datedNotes } from './dated-notes.ts';
import { roomVault } from './room-vault.ts';
import type { RoomVault } from './room-vault.ts';
import { runCommand } from './run-command.ts';
import { layOut, temporaryFolder } from './temporary-vault.ts';
import type { Files } from './temporary-vault.ts';

async function today(vault: RoomVault, day: string, reader: 'person' | 'model' = 'person') {
  const outcome = await vault.call('today', { day }, reader);
  if (outcome.kind === 'refused') return expect.unreachable(outcome.message);
  return { text: outcome.result.text, value: todayOutput.parse(outcome.result.value) };
}

const lists = ['overdue', 'due', 'appointments', 'upcoming', 'waiting'] as const;

const shown = (items: TodayValue['due']): string[] =>
  items.map(({ path, line, title }) => `${path}:${line} ${title}`).toSorted();

describe('today', () => {
  it('lists the tasks of 300 notes in every form exactly as they were written', async () => {
    const { files, expected } = datedNotes(300, 7);
    const { value } = await today(await roomVault(files), '2026-07-15');
    for (const list of lists) {
      expect(expected[list].length).toBeGreaterThan(20);
      expect(shown(value[list])).toEqual(expected[list].toSorted());
      expect(value.counts[list]).toBe(expected[list].length);
    }
    expect(value.counts.later).toBe(expected.later);
  });

  it('lists the tasks of the demonstration vault', async () => {
    const root = 'packages/vault/demo/vault';
    const files = Object.fromEntries(
      globSync('**/*.md', { cwd: root }).map((path) => [path, readFileSync(join(root, path), 'utf8')]),
    );
    const blocks = Object.entries(files)
      .filter(([path]) => path.endsWith('tasks.md'))
      .flatMap(([, text]) => text.split(/^# /m).slice(1));
    const open = blocks.filter((block) => !block.includes('en-attente') && !block.includes('waiting'));
    const dates = open.flatMap((block) => block.match(/(?<=^deadline: )\d{4}-\d\d-\d\d/m) ?? []);
    const { value } = await today(await roomVault(files), '2026-07-02');
    expect(value.counts).toMatchObject({
      overdue: dates.filter((day) => day < '2026-07-02').length,
      due: dates.filter((day) => day === '2026-07-02').length,
      waiting: blocks.length - open.length,
      later: dates.filter((day) => day > '2026-07-09').length,
    });
    expect(value.counts.overdue + value.counts.due + value.counts.waiting).toBeGreaterThan(3);
    expect(shown(value.due)).toContain(
      'vault/projects/atelier-velo/tasks.md:13 Faire le bilan de la bourse pour le conseil',
    );
  });

  it('lists a repeating appointment on its days, once, and a repeating task only on its own', async () => {
    const vault = await roomVault({
      'a.md': [
        '- 2026-01-05 10:00-11:00 Choir 🔁 every Monday until 2026-08-01 except 2026-07-20',
        '- 2026-01-01 09:00 Stand-up 🔁 every weekday',
        '- 2026-07-01 18:00 Past',
        '- 2026-07-01 18:00 Odd 🔁 every blue moon',
        '- [ ] Pay 📅 2026-07-01 🔁 every week',
      ].join('\n'),
    });
    const on = async (day: string) => {
      const { value } = await today(vault, day);
      return value.appointments.map(({ title, day: at, time }) => `${title} ${at} ${time}`);
    };
    expect(await on('2026-07-13')).toEqual(['Stand-up 2026-07-13 09:00', 'Choir 2026-07-13 10:00']);
    expect(await on('2026-07-18')).toEqual(['Stand-up 2026-07-20 09:00']);
    expect(await on('2026-07-27')).toEqual(['Stand-up 2026-07-27 09:00', 'Choir 2026-07-27 10:00']);
    expect(await on('2026-07-28')).toEqual(['Stand-up 2026-07-28 09:00']);
    expect(await on('2025-12-20')).toEqual([]);
    const { value } = await today(vault, '2026-07-18');
    expect(value.counts).toMatchObject({ overdue: 1, due: 0, upcoming: 0, later: 1 });
  });

  it('ignores the inbox, buckets and changelogs, and follows changes of a note', async () => {
    const task = '- [ ] Pay 📅 2026-07-15\n';
    const vault = await roomVault({
      'a.md': task,
      'inbox/2026-07-15-x/review.md': task,
      'bucket/b.md': task,
      'projects/x/bucket/b.md': task,
      'projects/x/changelog.md': task,
    });
    expect(shown((await today(vault, '2026-07-15')).value.due)).toEqual(['vault/a.md:1 Pay']);
    const appended = await vault.callTool({
      tool: 'append',
      input: { path: 'a.md', content: '- [ ] Sign due:: 2026-07-15', position: 'bottom' },
      reader: 'person',
      origin: 'test',
    });
    expect(appended.kind).toBe('result');
    expect((await today(vault, '2026-07-15')).value.due.map(({ title }) => title)).toEqual(['Pay', 'Sign']);
  });

  it('names tasks and appointments whose day does not exist, also in the check of the vault', async () => {
    const folder = temporaryFolder();
    await runCommand(['init', folder]);
    const variables = { XDG_STATE_HOME: join(temporaryFolder(), 'state') };
    const run = (...args: string[]) => runCommand([...args, '--vault', folder], { variables });
    expect((await run('doctor', '--verbose')).out).toContain('all dates exist');
    layOut(folder, {
      'a.md': '- [ ] Pay the tax 📅 2027-02-29\n- [x] Done 📅 2027-02-29\n- 2026-02-31 10:00 Dentist\n',
      'tasks.md': '# Call\nstatus: waiting | due: 2026-06-31\n',
    });
    const { out } = await run('today', '--day', '2026-07-15');
    expect(out).toContain(`Date does not exist: 3
  2027-02-29  Pay the tax  vault/a.md:1
  2026-02-31  Dentist  vault/a.md:3
  2026-06-31  Call  vault/tasks.md:1
`);
    expect(out).not.toContain('Waiting');
    expect((await run('doctor')).out).toMatch(
      /dates that do not exist\n.*vault\/a\.md:1: 2027-02-29 Pay the tax\n.*vault\/a\.md:3: 2026-02-31 Dentist\n.*vault\/tasks\.md:1: 2026-06-31 Call\n/,
    );
  });

  it('lists the files changed on the day and the day before, newest first', async () => {
    const stamped = (time: string): string => `---\nupdated: ${time}\n---\n\nText.\n`;
    const vault = await roomVault({
      'old.md': stamped('2026-07-13T23:59:59'),
      'yesterday.md': stamped('2026-07-14T00:00:00'),
      'today.md': stamped('2026-07-15T23:59:59'),
      'tomorrow.md': stamped('2026-07-16T00:00:00'),
      'tree.md': stamped('2026-07-15T10:00:00'),
      'plain.md': 'Text.\n',
      'other.md': 'Text.\n',
    });
    utimesSync(join(vault.folder, 'plain.md'), 0, new Date('2026-07-15T12:00:00'));
    utimesSync(join(vault.folder, 'other.md'), 0, new Date('2026-07-13T12:00:00'));
    expect((await today(vault, '2026-07-15')).value.changed).toEqual([
      { path: 'vault/today.md', updated: '2026-07-15T23:59:59' },
      { path: 'vault/plain.md', updated: '2026-07-15T12:00:00' },
      { path: 'vault/yesterday.md', updated: '2026-07-14T00:00:00' },
    ]);
  });

  it('sees staged changes of a transaction', async () => {
    const vault = await roomVault({ 'a.md': '- [ ] a 📅 2026-07-15\n', 'b.md': '- [ ] b 📅 2026-07-15\n' });
    const run = vault.writeRun('person');
    const call = (name: string, input: object) => tools.find((each) => each.name === name)?.call(input, run);
    await call('write', { path: 'c.md', content: '- [w] c\n' });
    await call('delete', { path: 'a.md' });
    const outcome = await call('today', { day: '2026-07-15' });
    expect(outcome?.kind === 'result' && outcome.result.value).toMatchObject({
      due: [{ title: 'b' }],
      waiting: [{ title: 'c' }],
      counts: { due: 1, waiting: 1 },
    });
  });

  it('truncates its lists for a model, not its counts', async () => {
    const tasks = Array.from({ length: 80 }, (_, index) => `- [ ] Item ${index} 📅 2026-07-15`);
    const vault = await roomVault({ 'a.md': tasks.join('\n') });
    const { value, text } = await today(vault, '2026-07-15', 'model');
    expect([value.due.length, value.counts.due]).toEqual([50, 80]);
    expect(text).toContain('Due today: 50 of 80');
  });
});

describe('keepsake today', () => {
  const files = {
    'tasks.md': [
      '# Call Paul\nstatus: to-do | prio: high\ndeadline: 2026-07-14\n',
      '# Pay\nstatus: to-do\ndeadline: 2026-07-15\n',
      '# Reply\nstatus: waiting\n',
    ].join('\n'),
    'plan.md':
      '- 2026-07-15 14:30-15:00 Dentist\n- [ ] Water 🔁 every week 📅 2026-07-20\n- [ ] Vote 📅 2027-01-01\n',
  };
  const run = async (
    args: string[],
    variables: Record<string, string> = {},
    own: Files = files,
    terminal: { isTerminal?: boolean; columns?: number } = {},
  ) => {
    const home = temporaryFolder();
    const folder = join(home, 'vault');
    layOut(folder, own);
    for (const name of Object.keys(own)) utimesSync(join(folder, name), 0, 0);
    return runCommand(['today', ...args], {
      cwd: folder,
      variables: { HOME: home, KEEPSAKE_VAULT: folder, ...variables },
      ...terminal,
    });
  };

  it('prints a day in groups, with the path and line of each item', async () => {
    const { code, out } = await run(['--day', '2026-07-15']);
    expect(code).toBe(0);
    expect(out).toBe(
      [
        'Wednesday 2026-07-15',
        'Overdue: 1',
        '  2026-07-14  ! Call Paul  vault/tasks.md:1',
        'Due today: 1',
        '  2026-07-15  Pay  vault/tasks.md:5',
        'Appointments: 1',
        '  14:30–15:00  Dentist  vault/plan.md:1',
        'Waiting: 1',
        '  Reply  vault/tasks.md:9',
        'Next 7 days: 1',
        '  2026-07-20  Water (🔁 every week)  vault/plan.md:2',
        'Later: 1',
        '5 of 6; all: keepsake today --day 2026-07-15 --all',
        '',
      ].join('\n'),
    );
  });

  it('speaks French', async () => {
    const { out } = await run(['--day', '2026-07-15'], { LANG: 'fr_FR.UTF-8' });
    expect(out.split('\n').filter((line) => !line.startsWith(' '))).toEqual([
      'Mercredi 2026-07-15',
      'En retard : 1',
      'Pour aujourd’hui : 1',
      'Rendez-vous : 1',
      'En attente : 1',
      'Dans les 7 jours : 1',
      'Plus tard : 1',
      '5 sur 6 ; tout : keepsake today --day 2026-07-15 --all',
      '',
    ]);
  });

  it('lists everything with --all, and otherwise says how much it leaves out', async () => {
    const count = 60;
    const overdue = Array.from({ length: count }, (_, index) => `- [ ] Task ${index} 📅 2026-07-01\n`);
    const later = Array.from({ length: count }, (_, index) => `- [ ] Trip ${index} 📅 2027-07-01\n`);
    const many = { 'many.md': [...overdue, ...later].join('') };
    const cut = await run(['--day', '2026-07-15'], {}, many);
    expect(cut.out.split('\n')).toHaveLength(23);
    const [, listed] = /^Overdue: (\d+) of 60$/m.exec(cut.out) ?? [];
    expect(cut.out.match(/^ {2}.*Task \d+/gm)).toHaveLength(Number(listed));
    expect(cut.out).toMatch(/^Later: 60$/m);
    expect(cut.out).toContain(`\n${listed} of 120; all: keepsake today --day 2026-07-15 --all\n`);
    const all = await run(['--day', '2026-07-15', '--all'], {}, many);
    expect(all.out.match(/^ {2}.*Task \d+/gm)).toHaveLength(count);
    expect(all.out.match(/^ {2}.*Trip \d+/gm)).toHaveLength(count);
    expect(all.out).not.toContain('--all');
  });

  it('counts the rows of a terminal, and breaks no word', async () => {
    const title = 'a title that is about as long as titles of tasks usually are';
    const tasks = Array.from({ length: 30 }, (_, index) => `- [ ] ${index} ${title} 📅 2026-07-01\n`);
    const many = { 'a folder with a name/of some length/tasks.md': tasks.join('') };
    const { out } = await run(['--day', '2026-07-15'], {}, many, { isTerminal: true, columns: 60 });
    const rows = stripVTControlCharacters(out).trimEnd().split('\n');
    expect(rows.length).toBeLessThanOrEqual(22);
    expect(rows.filter((row) => row.length > 60)).toEqual([]);
    expect(rows).toContain('  2026-07-01  0 a title that is about as long as titles of');
  });

  it('prints JSON', async () => {
    const { out } = await run(['--day', '2026-07-15', '--json']);
    expect(JSON.parse(out)).toMatchObject({
      day: '2026-07-15',
      due: [{ path: 'vault/tasks.md', line: 5, title: 'Pay', day: '2026-07-15', time: null }],
    });
  });
});

it('the text of a day fits on a screen and counts what it leaves out', () => {
  const item = {
    path: 'vault/a.md',
    line: 1,
    day: '2026-07-14',
    time: null,
    endTime: null,
    repeat: null,
    priority: 2,
  };
  const many = Array.from({ length: 30 }, (_, index) => ({
    ...item,
    title: `${index} ${'long '.repeat(30)}`,
  }));
  const none = {
    overdue: 0,
    due: 0,
    appointments: 0,
    upcoming: 0,
    waiting: 0,
    invalid: 0,
    later: 0,
    changed: 0,
  };
  const value: TodayValue = {
    day: '2026-07-15',
    overdue: many,
    due: many.slice(0, 2),
    appointments: [],
    upcoming: many,
    waiting: [],
    invalid: [],
    changed: [],
    counts: { ...none, overdue: 30, due: 2, upcoming: 40, later: 5 },
    errors: [],
  };
  const lines = formatToday(value, { language: 'en', maxRows: 22 }).split('\n');
  expect(lines.length).toBe(22);
  expect(lines.filter((line) => !line.startsWith(' '))).toEqual([
    'Wednesday 2026-07-15',
    'Overdue: 8 of 30',
    'Due today: 2',
    'Next 7 days: 7 of 40',
    'Later: 5',
  ]);
  const empty = { ...value, overdue: [], due: [], upcoming: [], counts: none };
  expect(formatToday(empty, { language: 'fr', maxRows: 22 })).toBe('Mercredi 2026-07-15\nRien à faire.');
});
