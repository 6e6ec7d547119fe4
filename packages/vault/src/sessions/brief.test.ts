import { expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { Files } from '../../../../test/temporary-vault.ts';
import { formatLocalTime } from '../contract/index.ts';
import { collectToday, readFile } from '../vault/index.ts';
import { createBrief, resolveProject } from './index.ts';

const now = Date.parse('2026-11-16T12:00:00');

async function briefOf(
  files: Files,
  more: Partial<Parameters<typeof createBrief>[1]> = {},
): Promise<string | null> {
  const { view } = await roomVault(files, () => now);
  const source = {
    ...view,
    readFile: (path: Parameters<typeof view.read>[0]) => readFile(view, path),
    today: () => collectToday(view, formatLocalTime(now).slice(0, 10)),
  };
  const options = { project: 'x', matchedKey: 'github.com/o/x', source: 'startup', lost: nothingLost, now };
  return createBrief(source, { ...options, ...more });
}

const nothingLost = { prompts: 0, answers: 0, summaries: 0, lastAt: null };

const tasks = [
  '# Low\nstatus: open | prio: low\n',
  '# High\nstatus: in-progress | prio: high\ndeadline: 2026-11-20\n\nText.\n',
  '# Over\nstatus: done | prio: high\n',
].join('\n');

const project = {
  'profile.md': '---\nupdated: 2026-11-01T10:00:00\n---\n\n# Ada\n',
  'projects/x/state.md': 'Two customers use it.\n',
  'projects/x/tasks.md': tasks,
  'projects/x/changelog.md':
    '# 2026-11-10\n\n## [decision] SQLite\n\nWhy.\n\n## [note] Other\n\n# 2026-01-01\n\n## [decision] Old\n',
  'projects/x/bucket/sessions/2026-11-14-0912-codex-1.md': '# Session\n',
  'inbox/2026-11-14-call/review.md': '# Which?\n',
};

it('the brief quotes profile, state, open tasks by priority and recent decisions, with line numbers', async () => {
  const text = await briefOf(project);
  expect(text?.split('\n').slice(1)).toEqual([
    '',
    'vault/profile.md (2026-11-01)',
    '5  | # Ada',
    'vault/projects/x/state.md',
    '1  | Two customers use it.',
    'vault/projects/x/tasks.md, 2 of 2 open',
    '4  | # High  (status: in-progress | prio: high | deadline: 2026-11-20)',
    '1  | # Low  (status: open | prio: low)',
    'vault/projects/x/changelog.md, recent decisions',
    '3  | 2026-11-10 [decision] SQLite',
    'Session: vault/projects/x/bucket/sessions/2026-11-14-0912-codex-1.md',
    'Pending: session notes: 1, questions in the inbox: 1.',
    '',
    'Use the tools vault_search, vault_read, memory_search and memory_update of the server keepsake to find and save more.',
  ]);
});

it('the brief sorts decisions by the day of the event and says when they take effect', async () => {
  const log = [
    '# 2026-11-15\n\n## [decision] Filed late\nwhen: 2026-03-01\n',
    '## [decision] Vote\nwhen: 2026-11-01\nfrom: 2027-01-01\n',
    '# 2026-11-10\n\n## [decision] SQLite\n',
  ].join('\n');
  expect(await briefOf({ ...project, 'projects/x/changelog.md': log })).toContain(
    'recent decisions\n12 | 2026-11-10 [decision] SQLite\n6  | 2026-11-01 [decision] Vote (from 2027-01-01)\nSession',
  );
});

it('the brief contains only state, tasks and decisions after a compaction, and is null when a session is resumed', async () => {
  const compact = await briefOf(project, { source: 'compact' });
  expect(compact).toContain('Two customers');
  expect(compact).not.toContain('profile.md');
  expect(await briefOf(project, { source: 'resume' })).toBeNull();
});

it('the brief starts with a notice about messages that hooks could not record, even in an empty vault', async () => {
  const lost = { prompts: 2, answers: 1, summaries: 0, lastAt: now };
  const line =
    'Hooks failed to record parts of sessions in the last 7 days: 2 prompts, 1 answer. The user can see details with: keepsake capture status';
  expect((await briefOf(project, { lost }))?.split('\n')[2]).toBe(line);
  expect(await briefOf({}, { project: null, matchedKey: null, lost })).toContain(line);
});

it('the brief quotes the overview if the folder belongs to no project', async () => {
  const text = await briefOf({ 'overview.md': '# Projects\n\n- x\n' }, { project: null, matchedKey: null });
  expect(text).toContain('belongs to no project');
  expect(text).toContain('3  | - x');
});

it('the brief stays within its token limit, whatever the notes contain', async () => {
  const long = `${'word '.repeat(400)}\n`.repeat(200);
  const text = await briefOf({
    'profile.md': long,
    'projects/x/state.md': long,
    'projects/x/tasks.md': '# A task\nstatus: open\n\n'.repeat(500),
    'projects/x/changelog.md': `# 2026-11-10\n${'\n## [decision] One\n'.repeat(500)}`,
  });
  expect(text?.length).toBeLessThanOrEqual(4_800);
  expect(text).toContain('state.md');
});

it('the brief is null for an empty vault', async () => {
  expect(await briefOf({}, { project: null, matchedKey: null })).toBeNull();
});

it('resolveProject matches a folder to the project with the name of the folder or its repository, unless the folder is linked to another', async () => {
  const { view } = await roomVault({ 'projects/startup-x/state.md': 'x\n' });
  const of = async (
    folder: string,
    remote: string | null,
    linked: Parameters<typeof resolveProject>[0]['linked'],
  ) => resolveProject({ folder, remote, linked }, await view.contents(), view.layout())?.project ?? null;
  expect(await of('/code/startup-x', null, { kind: 'unknown' })).toBe('startup-x');
  expect(await of('/code/y', 'github.com/o/startup-x', { kind: 'unknown' })).toBe('startup-x');
  expect(await of('/code/y', null, { kind: 'unknown' })).toBeNull();
  expect(await of('/code/startup-x', null, { kind: 'project', project: 'other', by: '/code' })).toBe('other');
});

it('the brief names what is due in the whole vault', async () => {
  const text = await briefOf({
    ...project,
    'home.md':
      '- [ ] Pay 📅 2026-11-16\n- [ ] Late due:: 2026-11-01\n- 2026-11-16 14:30 Dentist\n- 2026-11-17 9:00 Train\n- [w] Reply\n',
  });
  expect(text).toContain(
    [
      'Today is 2026-11-16 (overdue: 1, due: 1, appointments: 1, waiting: 1; details: vault_today).',
      '2026-11-16 14:30 Dentist (vault/home.md:3)',
      '2026-11-16 Pay (vault/home.md:1)',
      '2026-11-01 Late (vault/home.md:2)',
      'Pending:',
    ].join('\n'),
  );
  expect(
    await briefOf({ ...project, 'home.md': '- [ ] Pay 📅 2026-11-16\n' }, { source: 'compact' }),
  ).not.toContain('Today is');
});
