import { expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { Files } from '../../../../test/temporary-vault.ts';
import { formatLocalTime } from '../contract/index.ts';
import type { Repository } from '../hook/index.ts';
import { collectToday, readFile, rootFileText } from '../vault/index.ts';
import { createBrief } from './brief.ts';
import { resolveProject } from './index.ts';
import { cutAtLine } from './quote.ts';

const now = Date.parse('2026-11-16T12:00:00');

type Options = Partial<Parameters<typeof createBrief>[1]> & { hidden?: string };

async function createBriefOf(files: Files, { hidden, ...more }: Options = {}) {
  const { view } = await roomVault(files, () => now);
  const source = {
    ...view,
    readFile: (path: Parameters<typeof view.read>[0]) => readFile(view, path),
    today: () => collectToday(view, formatLocalTime(now).slice(0, 10)),
    isHidden: (path: string) => hidden !== undefined && path.startsWith(hidden),
  };
  return createBrief(source, {
    project: 'x',
    matchedKey: 'github.com/o/x',
    source: 'startup',
    lost: nothingLost,
    sessions: [],
    waitingUpdates: 0,
    hasAgents: true,
    language: 'en',
    now,
    ...more,
  });
}

async function briefOf(files: Files, more: Options = {}): Promise<string | null> {
  return (await createBriefOf(files, more))?.text ?? null;
}

const nothingLost = { prompts: 0, answers: 0, summaries: 0, lastAt: null };

const tasks = [
  '# Low\nstatus: open | prio: low\n',
  '# Later\nstatus: open | prio: high\ndeadline: 2028-01-01\n',
  '# Doing\nstatus: in-progress | prio: low\n',
  '# Over\nstatus: done | prio: high\n',
  '# Due\nstatus: open | prio: low\ndeadline: 2026-11-20\n\nText.\n',
].join('\n');

const sessionNote = [
  '---\nsource: "Codex"\nsession: "1"\nfolder: "/code"\nbranch: "fix/import"\nended: "2026-11-14T09:40:00"\nfiled: false\n---\n',
  '# Why does the import stop\n',
  '## 09:12\n\n> why does the import stop?\n\nThe file is cut off.\n',
  '## 09:38\n\n> and now?\n\nI looked at it.\n\n\\# Result\nNext: read it in parts.\n',
].join('\n');

const project = {
  'profile.md': '---\nupdated: 2026-11-01T10:00:00\n---\n\n# Ada\n',
  'projects/x/state.md': 'Two customers use it.\n',
  'projects/x/tasks.md': tasks,
  'projects/x/plan.md': '- [ ] Call the supplier 📅 2026-11-18\n',
  'projects/x/changelog.md':
    '# 2026-11-15\n\n## [decision] SQLite\n\nWhy.\n\n## [note] Other\n\n# 2026-11-10\n\n## [decision] Old\n',
  'projects/x/bucket/sessions/2026-11-14-0912-codex-1.md': sessionNote,
  'inbox/2026-11-14-call/review.md': '# Which?\n',
};

it('the brief says where the user left off, what is next, what was decided since, and the state, with line numbers', async () => {
  const brief = await createBriefOf(project, { waitingUpdates: 2 });
  expect(brief?.text.split('\n').slice(1)).toEqual([
    '',
    'Where you left off: 2026-11-14 (2 days ago), Codex, branch fix/import, vault/projects/x/bucket/sessions/2026-11-14-0912-codex-1.md',
    "The user's last prompt:",
    '  | and now?',
    'The last answer ended:',
    '  | I looked at it.',
    '  | # Result',
    '  | Next: read it in parts.',
    'vault/projects/x/plan.md: Next (5 of 5 open tasks)',
    '1  | Call the supplier (2026-11-18)',
    'vault/projects/x/tasks.md',
    '14 | # Due  (status: open | prio: low | deadline: 2026-11-20)',
    '8  | # Doing  (status: in-progress | prio: low)',
    '4  | # Later  (status: open | prio: high | deadline: 2028-01-01)',
    '1  | # Low  (status: open | prio: low)',
    'vault/projects/x/changelog.md, decided since your last session here (2026-11-14)',
    '3  | 2026-11-15 [decision] SQLite',
    'vault/projects/x/state.md',
    '1  | Two customers use it.',
    'vault/profile.md (2026-11-01)',
    '5  | # Ada',
    'Pending: session notes not filed: 1, questions in the inbox: 1, updates to file with memory_next: 2.',
    '',
    'Find and save more with vault_search, vault_read, memory_search, memory_update of the server keepsake.',
  ]);
  expect(brief?.message).toBe(
    'Keepsake: x, last worked 2 days ago on "Why does the import stop"; 5 tasks open',
  );
});

it('the brief names the tools of the agents only if they exist', async () => {
  expect(await briefOf(project, { hasAgents: false })).not.toContain('memory_');
});

it('the brief says that the last prompt was not answered', async () => {
  const note = `${sessionNote}\n## 09:41\n\n> write the test, too\n`;
  const path = 'projects/x/bucket/sessions/2026-11-14-0912-codex-1.md';
  expect(await briefOf({ ...project, [path]: note })).toContain(
    'The user asked last, and got no answer:\n  | write the test, too\nThe last answer ended:\n  | I looked at it.',
  );
});

const recorded = {
  at: '2026-11-15T18:00:00',
  client: 'Claude Code',
  branch: null,
  title: 'Dates',
  path: null,
  lastPrompt: 'Which date format?',
  lastAnswer: 'ISO.',
  isAnswered: true,
};

it('the brief quotes the newest session, whichever tool it was in', async () => {
  const text = await briefOf(project, { sessions: [recorded, { ...recorded, at: '2026-11-13T10:00:00' }] });
  expect(text).toContain('Where you left off: 2026-11-15 (yesterday), Claude Code\n');
  expect(text).not.toContain('and now?');
});

it('the brief quotes no session if its notes are hidden from AI', async () => {
  const text = await briefOf(
    { ...project, 'projects/x/bucket/sessions/2026-11-14-0912-codex-1.md': 'no session\n' },
    { sessions: [recorded], hidden: 'vault/projects/x/bucket/' },
  );
  expect(text).not.toContain('Where you left off');
  expect(text).not.toContain('Which date format?');
});

it('the brief removes secrets from the words of a session note', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const path = 'projects/x/bucket/sessions/2026-11-14-0912-codex-1.md';
  const text = await briefOf({ ...project, [path]: sessionNote.replace('and now?', `push with ${secret}`) });
  expect(text).toContain('  | push with [secret removed]');
  expect(text).not.toContain(secret);
});

it('the brief leaves out comments, and has nothing to say about a new vault', async () => {
  for (const language of ['en', 'fr'] as const) {
    const files = Object.fromEntries(
      ['overview.md', 'profile.md', 'tasks.md'].map((name) => [name, rootFileText(name, language)]),
    );
    expect(await briefOf(files, { project: null, matchedKey: null })).toBeNull();
    const text = await briefOf({
      ...project,
      'profile.md': `${rootFileText('profile.md', language)}\nI live in Lyon.\n`,
      'projects/x/state.md': '<!-- The state,\n\nin short. -->\n\nTwo customers use it.\n',
    });
    expect(text).toContain('6  | I live in Lyon.');
    expect(text).toContain('state.md\n5  | Two customers use it.');
    expect(text).not.toMatch(/<!--|-->|Durable|durables|in short/);
  }
});

it('the brief quotes how to work with the user before the rest of the profile', async () => {
  const profile = `# Ada\n\n${'Some fact about her. '.repeat(12)}\n\n## How to answer me\n\nIn short sentences.\n`;
  expect(await briefOf({ ...project, 'profile.md': profile })).toContain('7  | In short sentences.');
});

it('the brief is in French if the notes are', async () => {
  const brief = await createBriefOf({
    ...project,
    'profile.md': '# Ada\n\nElle travaille avec des clients et répond dans la journée pour le projet.\n',
  });
  expect(brief?.text).toContain('Où vous en étiez : 2026-11-14 (il y a 2 jours), Codex, branche fix/import');
  expect(brief?.text).toContain('décidé depuis votre dernière session ici (2026-11-14)');
  expect(brief?.message).toBe(
    'Keepsake : x, dernière session il y a 2 jours sur « Why does the import stop » ; 5 tâches ouvertes',
  );
});

it('the brief uses the names and forms of an adopted vault', async () => {
  const adopted = {
    '.keepsake/vault.json': JSON.stringify({
      id: '0c070488-c9b2-4429-8e65-38c697e795d2',
      version: 1,
      upkeep: { frontmatter: 'own' },
      layout: { projects: '10 Projects', tasks: 'Todo.md', changelog: 'Log.md' },
    }),
    '10 Projects/x/X.md': 'A shop.\n\n- [ ] Paint the door\n- [x] Buy paint\n',
    '10 Projects/x/Log.md': '# 2026-11-15\n\n## [decision] Blue\n',
    '10 Projects/y.md': 'A garden.\n\n- [ ] Dig 📅 2026-11-17\n',
  };
  const text = await briefOf(adopted);
  expect(text).toContain('vault/10 Projects/x/X.md: Next (1 of 1 open tasks)\n3  | - [ ] Paint the door');
  expect(text).toContain('vault/10 Projects/x/Log.md, recent decisions\n3  | 2026-11-15 [decision] Blue');
  expect(text).toContain('1  | A shop.');
  expect(text).not.toContain('garden');
  expect(await briefOf(adopted, { project: 'y' })).toContain('vault/10 Projects/y.md\n1  | A garden.');
});

it('the brief stays within its limits with long texts in wide characters, and cuts no character', async () => {
  const wide = '仕様を確認してから実装します👩‍👩‍👧。'.repeat(100);
  const note = sessionNote.replace('and now?', wide).replace('Next: read it in parts.', wide);
  const brief = await createBriefOf({
    'profile.md': `${wide}\n`.repeat(30),
    'projects/x/state.md': `${wide}\n`.repeat(30),
    'projects/x/tasks.md': `# ${wide}\nstatus: open\n\n`.repeat(30),
    'projects/x/bucket/sessions/2026-11-14-0912-codex-1.md': note,
  });
  const text = brief?.text ?? '';
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9_500);
  expect(text).toContain('仕様');
  expect(text.isWellFormed()).toBe(true);
  expect(text.replaceAll('👩‍👩‍👧', '')).not.toMatch(/[👩👧\u200d]/u);
  expect(brief?.message?.length).toBeLessThan(140);
});

it('cutAtLine keeps whole lines up to a number of bytes', () => {
  const line = '長い行'.repeat(100);
  const text = `${line}\n`.repeat(50);
  const cut = cutAtLine(text, 9_500);
  expect(Buffer.byteLength(cut)).toBe(10 * 901 - 1);
  expect(new Set(cut.split('\n'))).toEqual(new Set([line]));
  expect(cutAtLine('short\n', 9_500)).toBe('short\n');
  expect(cutAtLine('abc\ndef', 7)).toBe('abc\ndef');
  expect(cutAtLine('abc\ndef', 6)).toBe('abc');
});

it('the brief sorts decisions by the day of the event and says when they take effect', async () => {
  const log = [
    '# 2026-11-15\n\n## [decision] Filed late\nwhen: 2026-03-01\n',
    '## [decision] Vote\nwhen: 2026-11-01\nfrom: 2027-01-01\n',
    '# 2026-11-10\n\n## [decision] SQLite\n',
  ].join('\n');
  const { 'projects/x/bucket/sessions/2026-11-14-0912-codex-1.md': _, ...withoutSession } = project;
  expect(await briefOf({ ...withoutSession, 'projects/x/changelog.md': log })).toContain(
    'recent decisions\n12 | 2026-11-10 [decision] SQLite\n6  | 2026-11-01 [decision] Vote (from 2027-01-01)\nvault/projects/x/state.md',
  );
});

it('the brief contains only state, tasks and decisions after a compaction, and is null when a session is resumed', async () => {
  const compact = await briefOf(project, { source: 'compact' });
  expect(compact).toContain('Two customers');
  expect(compact).toContain('decided since your last session here');
  expect(compact).not.toMatch(/profile\.md|Where you left off/);
  expect((await createBriefOf(project, { source: 'compact' }))?.message).toBeNull();
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
  const unlinked = { kind: 'unknown' as const };
  const of = async (
    mainFolder: string,
    repository: Repository | null,
    linked: Parameters<typeof resolveProject>[0]['linked'] = unlinked,
  ) =>
    resolveProject({ place: { mainFolder, repository }, linked }, await view.contents(), view.layout())
      ?.project ?? null;
  expect(await of('/code/startup-x', null)).toBe('startup-x');
  expect(await of('/code/y', { folder: '/code/y', remote: 'github.com/o/startup-x' })).toBe('startup-x');
  expect(await of('/code/startup-x/src', { folder: '/code/startup-x', remote: null })).toBe('startup-x');
  expect(await of('/code/y', null)).toBeNull();
  const linked = { kind: 'project' as const, project: 'other', by: '/code' };
  expect(await of('/code/startup-x', null, linked)).toBe('other');
});

it('the brief names what is due in the whole vault', async () => {
  const text = await briefOf({
    ...project,
    'home.md':
      '- [ ] Pay 📅 2026-11-16\n- [ ] Late due:: 2026-11-01\n- 2026-11-16 14:30 Dentist\n- 2026-11-17 9:00 Train\n- [w] Reply\n',
  });
  expect(text).toContain(
    [
      'Pending: session notes not filed: 1, questions in the inbox: 1.',
      'Today is 2026-11-16 (overdue: 1, due: 1, appointments: 1, waiting: 1; details: vault_today).',
      '2026-11-16 14:30 Dentist (vault/home.md:3)',
      '2026-11-16 Pay (vault/home.md:1)',
      '2026-11-01 Late (vault/home.md:2)',
    ].join('\n'),
  );
  expect(
    await briefOf({ ...project, 'home.md': '- [ ] Pay 📅 2026-11-16\n' }, { source: 'compact' }),
  ).not.toContain('Today is');
});
