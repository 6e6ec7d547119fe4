import { describe, expect, it } from 'vitest';
import { roomVault } from '../../../../test/room-vault.ts';
import type { Files } from '../../../../test/temporary-vault.ts';
import { formatLocalTime } from '../contract/index.ts';
import type { Repository } from '../hook/index.ts';
import { collectToday, readFile, rootFileText, wrapStatus } from '../vault/index.ts';
import { createBrief } from './brief.ts';
import { resolveProject } from './index.ts';
import type { RecordedSession } from './recorded-session.ts';

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
    repository: null,
    linkOffer: null,
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

const sessionPath = 'projects/x/bucket/sessions/2026-11-14-0912-codex-1.md';

const project = {
  'profile.md': '---\nupdated: 2026-11-01T10:00:00\n---\n\n# Ada\n',
  'projects/x/state.md': 'Two customers use it.\n',
  'projects/x/tasks.md': tasks,
  'projects/x/plan.md': '- [ ] Call the supplier 📅 2026-11-18\n',
  'projects/x/changelog.md':
    '# 2026-11-15\n\n## [decision] SQLite\n\nWhy.\n\n## [note] Other\n\n# 2026-11-10\n\n## [decision] Old\n',
  [sessionPath]: sessionNote,
  'inbox/2026-11-14-call/review.md': '# Which?\n',
};

it('the brief says where the user left off, what is next, what was decided, and the state, with line numbers', async () => {
  const brief = await createBriefOf(project, { waitingUpdates: 2 });
  expect(brief?.text.split('\n').slice(1)).toEqual([
    '',
    "Where you left off (> are the user's words): 2026-11-14 (2 days ago), Codex, branch fix/import, vault/projects/x/bucket/sessions/2026-11-14-0912-codex-1.md",
    '14 | > why does the import stop?',
    '16 | The file is cut off.',
    '20 | > and now?',
    '22 | I looked at it.',
    String.raw`24 | \# Result`,
    '25 | Next: read it in parts.',
    'vault/projects/x/plan.md: Next (5 of 5 open tasks)',
    '1  | Call the supplier (2026-11-18)',
    'vault/projects/x/tasks.md',
    '14 | # Due  (status: open | prio: low | deadline: 2026-11-20)',
    '8  | # Doing  (status: in-progress | prio: low)',
    '4  | # Later  (status: open | prio: high | deadline: 2028-01-01)',
    '1  | # Low  (status: open | prio: low)',
    'vault/projects/x/changelog.md, decisions, newest first (2 of 2)',
    '3  | 2026-11-15 [decision] SQLite',
    '5  | Why.',
    '11 | 2026-11-10 [decision] Old',
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
  const text = await briefOf({ ...project, [sessionPath]: note });
  expect(text).toContain(`${sessionPath}, the last prompt got no answer\n`);
  expect(text).toContain('29 | > write the test, too\n');
});

/** A session that has no note. */
function sessionOf(speeches: RecordedSession['speeches'], at = '2026-11-15T18:00:00'): RecordedSession {
  return { at, client: 'Claude Code', branch: null, title: 'Dates', project: 'x', source: null, speeches };
}

function said(kind: 'prompt' | 'answer' | 'summary', text: string): RecordedSession['speeches'][number] {
  return { kind, lines: text.split('\n').map((line) => ({ text: line, number: null })) };
}

const recorded = sessionOf([said('prompt', 'Which date format?'), said('answer', 'ISO.')]);

it('the brief quotes the last three sessions, newest first, whichever tool they were in', async () => {
  const text = await briefOf(project, {
    sessions: [
      recorded,
      sessionOf([said('prompt', 'An old one.')], '2026-11-13T10:00:00'),
      sessionOf([said('prompt', 'An older one.')], '2026-11-12T10:00:00'),
    ],
  });
  const heads = text?.split('\n').filter((line) => /^(?:Where you left off|Before that)/.test(line));
  expect(heads).toEqual([
    "Where you left off (> are the user's words): 2026-11-15 (yesterday), Claude Code",
    `Before that: 2026-11-14 (2 days ago), Codex, branch fix/import, vault/${sessionPath}`,
    'Before that: 2026-11-13 (3 days ago), Claude Code, the last prompt got no answer',
  ]);
  expect(text).toContain('  | > Which date format?\n  | ISO.\nBefore that');
});

describe('the last three sessions are those that ended last', () => {
  const folder = 'projects/x/bucket/sessions';
  const header = 'source: "Codex"\nsession: "1"\nfolder: "/code"\n';
  const noteOf = (prompt: string, fields: string): string =>
    `---\n${header}${fields}---\n\n# A session\n\n## 03:58\n\n> ${prompt}\n\nDone.\n`;
  const endedAt = (prompt: string, ended: string, updated = ended): string =>
    noteOf(prompt, `ended: "${ended}"\nupdated: ${updated}\n`);
  const long = endedAt('We decided to make the header blue.', '2026-11-14T04:01:14');
  const shortOnes = Object.fromEntries(
    [1, 2, 3].map((at) => [
      `${folder}/2026-11-14-0400-codex-${at}.md`,
      endedAt(`A short one, ${at}.`, `2026-11-14T04:00:0${at}`),
    ]),
  );
  const prompts = (text: string | null): string[] =>
    [...(text ?? '').matchAll(/ \| > (.*)/g)].map(([, prompt = '']) => prompt);

  it('though they started before others', async () => {
    const text = await briefOf({ ...shortOnes, [`${folder}/2026-11-14-0358-codex-9.md`]: long });
    expect(prompts(text)).toEqual([
      'We decided to make the header blue.',
      'A short one, 3.',
      'A short one, 2.',
    ]);
  });

  it('also in a repository without a project', async () => {
    const files = Object.entries({ ...shortOnes, [`${folder}/2026-11-14-0358-codex-9.md`]: long });
    const text = await briefOf(
      Object.fromEntries(files.map(([path, note]) => [path.replace('projects/x/', ''), note])),
      { project: null, repository: { folder: '/code', remote: null } },
    );
    expect(prompts(text)[0]).toBe('We decided to make the header blue.');
  });

  it('and by the name of the note if they ended at once, or if it says no end', async () => {
    const same = Object.fromEntries(
      ['b', 'd', 'a', 'c'].map((id) => [
        `${folder}/2026-11-14-0400-codex-${id}.md`,
        endedAt(`Number ${id}.`, '2026-11-14T04:00:30'),
      ]),
    );
    expect(prompts(await briefOf(same))).toEqual(['Number d.', 'Number c.', 'Number b.']);
    const unsaid = { [`${folder}/2026-11-14-0401-codex-a.md`]: noteOf('It does not say.', '') };
    expect(prompts(await briefOf({ ...same, ...unsaid }))[0]).toBe('It does not say.');
  });

  it('though many started since, or many older notes were changed or imported since', async () => {
    const others = (day: string, updated?: string): Files =>
      Object.fromEntries(
        Array.from({ length: 30 }, (_, at) => [
          `${folder}/${day}-10${10 + at}-codex-${at}.md`,
          endedAt(`One of many, ${at}.`, `${day}T10:${10 + at}:30`, updated),
        ]),
      );
    const lasting = {
      [`${folder}/2026-11-02-0358-codex-9.md`]: endedAt('We go on for days.', '2026-11-14T11:00:00'),
    };
    expect(prompts(await briefOf({ ...others('2026-11-14'), ...lasting }))[0]).toBe('We go on for days.');
    const imported = others('2026-11-01', '2026-11-15T08:00:00');
    expect(prompts(await briefOf({ ...imported, ...shortOnes }))[0]).toBe('A short one, 3.');
  });
});

const filler = (words: string): string =>
  Array.from({ length: 60 }, (_, at) => `${words} ${at} again.`).join(' ');

it.each([
  [
    'English',
    'We decided to use SQLite, as it needs no server.',
    'Next step: the migration, by Friday 27 November.',
  ],
  [
    'French',
    'On part sur SQLite, qui n’a pas besoin de serveur.',
    'Prochaine étape : la migration, d’ici le 27 novembre.',
  ],
  [
    'German',
    'Wir nehmen SQLite, das keinen Server braucht.',
    'Nächster Schritt: die Migration, bis zum 27. November.',
  ],
])('the brief keeps what an earlier session decided among much else: in %s', async (_, decision, plan) => {
  const sessions = [
    sessionOf([
      said('prompt', filler('The page has a blue button at place')),
      said('answer', filler('I saw it at')),
    ]),
    sessionOf(
      [
        said('prompt', `${filler('The list has a row at')} ${decision} ${filler('It has a column at')}`),
        said('answer', `${filler('I read the file')} ${plan}\n\n${filler('There is a line')}`),
        said('prompt', 'commit'),
      ],
      '2026-11-14T10:00:00',
    ),
  ];
  const text = (await briefOf({ 'projects/x/state.md': 'x\n' }, { sessions })) ?? '';
  expect(text).toContain(`[…] ${decision} […]`);
  expect(text).toContain(plan);
  // With every other part at its size, as well.
  const long = `${filler('A sentence about the state')}\n`.repeat(20);
  const full = await briefOf(
    {
      'profile.md': long,
      'projects/x/state.md': long,
      'projects/x/tasks.md': '# A task with a title of some words\nstatus: open\n\n'.repeat(20),
      'projects/x/changelog.md': `# 2026-11-10\n${'\n## [decision] One of many that were made\n'.repeat(20)}`,
    },
    { sessions },
  );
  expect(full).toContain(decision);
  for (const part of ['state.md', 'tasks.md', 'changelog.md', 'profile.md']) expect(full).toContain(part);
});

it('the brief quotes a long last prompt whole if there is room, and otherwise says which lines it leaves out', async () => {
  const prompt = Array.from(
    { length: 40 },
    (_, at) => `> The sum of line ${at} is wrong, as the page shows.`,
  );
  const note = sessionNote.replace('> and now?', prompt.join('\n'));
  const path = { [sessionPath]: note };
  const alone = await briefOf({ 'projects/x/readme.md': 'x\n', ...path });
  for (const line of prompt) expect(alone).toContain(line);
  expect(alone).not.toContain('there is more');
  const full = Array.from(
    { length: 60 },
    (_, at) => `## [decision] The number ${at} of many that were made\n`,
  );
  const long = `${filler('A sentence about the state')}\n`.repeat(20);
  const text = await briefOf({
    ...project,
    'projects/x/state.md': long,
    'profile.md': long,
    'projects/x/tasks.md':
      '# A task with a title that has many words, so that it needs some room\nstatus: open\n\n'.repeat(9),
    'projects/x/changelog.md': `# 2026-11-10\n\n${full.join('\n')}`,
    ...path,
  });
  const last = prompt.findLast((line) => text?.includes(line) === true) ?? '';
  expect(text).toMatch(/\(there is more in lines 14-\d\d\)/);
  expect(prompt.indexOf(last)).toBeGreaterThan(5);
});

it('the brief cuts notes between sentences, and says where the rest is', async () => {
  const state = `# State\n\n${filler('The import reads the file at').repeat(20)}\n\n## Later\n\n- one\n- two\n`;
  const text = (await briefOf({ 'projects/x/state.md': state })) ?? '';
  expect(text).toMatch(
    /\n3 {2}\| The import .* again\. \[…\]\n\(the rest: vault\/projects\/x\/state\.md:3-8\)\n/,
  );
  expect(text.length).toBeGreaterThan(4_000);
  expect(await briefOf({ 'projects/x/state.md': '# State\n\nShort.\n' })).not.toContain('the rest');
});

it('the brief quotes no session if its notes are hidden from AI', async () => {
  const text = await briefOf(
    { ...project, [sessionPath]: 'no session\n' },
    { sessions: [recorded], hidden: 'vault/projects/x/bucket/' },
  );
  expect(text).not.toContain('Where you left off');
  expect(text).not.toContain('Which date format?');
});

it('the brief removes secrets from the words of a session note', async () => {
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  const text = await briefOf({
    ...project,
    [sessionPath]: sessionNote.replace('and now?', `push with ${secret}`),
  });
  expect(text).toContain('20 | > push with [secret removed]');
  expect(text).not.toContain(secret);
});

it('the brief of a new vault says in one line that there is nothing yet, also once the overview has a status', async () => {
  for (const language of ['en', 'fr'] as const) {
    const files = Object.fromEntries(
      ['overview.md', 'profile.md', 'tasks.md'].map((name) => [name, rootFileText(name, language)]),
    );
    const status = wrapStatus('2026-11-16 · inbox: 0').join('\n');
    const overview = `${files['overview.md'] ?? ''}\n${status}\n`;
    for (const vault of [{}, files, { ...files, 'overview.md': overview }]) {
      const brief = await createBriefOf(vault, { project: null, matchedKey: null, language });
      expect(brief?.text).toMatch(language === 'en' ? /there is nothing .* yet/ : /encore rien/);
      expect(brief?.text).not.toMatch(/\n|overview|Overview|inbox/);
      expect(brief?.message).toBeNull();
    }
  }
});

it('the brief leaves out comments', async () => {
  for (const language of ['en', 'fr'] as const) {
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
  expect(brief?.text).toContain(
    'Où vous en étiez (> : les mots de l’utilisateur) : 2026-11-14 (il y a 2 jours), Codex, branche fix/import',
  );
  expect(brief?.text).toContain('décisions, les plus récentes d’abord (2 sur 2)');
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
  expect(text).toContain(
    'vault/10 Projects/x/Log.md, decisions, newest first (1 of 1)\n3  | 2026-11-15 [decision] Blue',
  );
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
    [sessionPath]: note,
  });
  const text = brief?.text ?? '';
  expect(Buffer.byteLength(text)).toBeLessThanOrEqual(9_000);
  expect(text).toContain('仕様');
  expect(text.isWellFormed()).toBe(true);
  expect(text.replaceAll('👩‍👩‍👧', '')).not.toMatch(/[👩👧\u200d]/u);
  expect(brief?.message?.length).toBeLessThan(140);
});

it('the brief sorts decisions by the day of the event and says when they take effect', async () => {
  const log = [
    '# 2026-11-15\n\n## [decision] Filed late\nwhen: 2026-03-01\n',
    '## [decision] Vote\nwhen: 2026-11-01\nfrom: 2027-01-01\n',
    '# 2026-11-10\n\n## [decision] SQLite\n',
  ].join('\n');
  expect(await briefOf({ ...project, 'projects/x/changelog.md': log })).toContain(
    'newest first (3 of 3)\n12 | 2026-11-10 [decision] SQLite\n6  | 2026-11-01 [decision] Vote (from 2027-01-01)\n3  | 2026-03-01 [decision] Filed late\nvault/projects/x/state.md',
  );
});

it('the brief leaves out a decision that a later one has replaced, and says which lines of a changelog it does not quote', async () => {
  const entry = (heading: string, more = ''): string => `## [decision] ${heading}\n${more}`;
  const log = [
    '# 2026-11-15\n',
    entry('MySQL', 'replaces: vault/projects/x/changelog.md § [decision] SQLite\n'),
    entry('Oracle', 'from: 2027-01-01\nreplaces: vault/projects/x/changelog.md § [decision] Docker\n'),
    '# 2026-11-10\n',
    entry('SQLite'),
    entry('Docker'),
  ].join('\n');
  const text = await briefOf({ ...project, 'projects/x/changelog.md': log });
  expect(text).toContain('newest first (3 of 3)\n3  | 2026-11-15 [decision] MySQL\n');
  expect(text).toContain('[decision] Docker');
  expect(text).not.toContain('SQLite');
  const many = `# 2026-11-10\n\n${entry('One', `\n${filler('A reason')}\n`).repeat(30)}`;
  expect(await briefOf({ 'projects/x/changelog.md': many })).toMatch(
    /newest first \(\d+ of 30\)\n[^]*\(the rest: vault\/projects\/x\/changelog\.md:\d+-92\)/,
  );
});

it('the brief contains only state, tasks and decisions after a compaction, and is null when a session is resumed', async () => {
  const compact = await briefOf(project, { source: 'compact' });
  expect(compact).toContain('Two customers');
  expect(compact).toContain('decisions, newest first');
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

const repository = { folder: '/code/shop', remote: null };
const unlinked = { project: null, matchedKey: null, repository };

it('the brief of a repository without a project quotes the sessions that were recorded in it, in any worktree', async () => {
  const noteIn = (place: string, text: string): string =>
    `---\nsource: "Codex"\n${place}\nended: "2026-11-14T09:40:00"\n---\n\n# Title\n\n## 09:12\n\n> ${text}\n`;
  const files = {
    'bucket/sessions/2026-11-14-0912-codex-1.md': noteIn('folder: "/code/shop/src"', 'in a folder of it'),
    'bucket/sessions/2026-11-14-0913-codex-2.md': noteIn(
      'folder: "/trees/fix"\nrepository: "/code/shop"',
      'in a worktree',
    ),
    'bucket/sessions/2026-11-14-0914-codex-3.md': noteIn('folder: "/code/shop-old"', 'elsewhere'),
    'bucket/sessions/2026-11-14-0915-codex-4.md': noteIn(
      'folder: "/code/shop"\nremote: "github.com/o/y"',
      'another remote',
    ),
  };
  const brief = await createBriefOf(files, unlinked);
  expect(brief?.text).toContain('belongs to the repository shop, which has no project.');
  expect(brief?.text).toContain('> in a worktree');
  expect(brief?.text).toContain('> in a folder of it');
  expect(brief?.text).not.toMatch(/elsewhere|another remote/);
  expect(brief?.message).toBe('Keepsake: shop, last worked 2 days ago on "Title"');
  const waiting = [{ ...recorded, project: null }];
  expect(await briefOf({}, { ...unlinked, sessions: waiting })).toContain('> Which date');
  expect(await briefOf({}, { ...unlinked, sessions: waiting, hidden: 'vault/bucket/' })).not.toContain(
    '> Which',
  );
  const linked = await briefOf({ ...project, ...files }, { repository });
  expect(linked).toContain('> and now?');
  expect(linked).toContain('> in a worktree');
});

it('the brief says that the sessions of a repository are not recorded, and tells the user once', async () => {
  const linkOffer = { command: 'keepsake link shop', isNew: true };
  const brief = await createBriefOf({}, { ...unlinked, linkOffer });
  expect(brief?.text).toContain(
    'Its sessions are not recorded (the user can change that with: keepsake link shop).',
  );
  expect(brief?.message).toBe(
    'Keepsake: shop; sessions here are not recorded; record them with: keepsake link shop',
  );
  const later = await createBriefOf({}, { ...unlinked, linkOffer: { ...linkOffer, isNew: false } });
  expect(later?.text).toBe(brief?.text);
  expect(later?.message).toBeNull();
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

it('the brief of long sessions stays right about what was answered, and names what it does not quote', async () => {
  const many = (at: number): RecordedSession['speeches'] =>
    Array.from({ length: 40 }, (_, turn) => [
      said('prompt', `We decided the thing ${turn} of session ${at}. ${filler('Some more')}`),
      said('answer', filler('The file has a line at')),
    ]).flat();
  const text = await briefOf(
    { 'projects/x/state.md': 'x\n' },
    { sessions: [sessionOf(many(1)), sessionOf(many(2), '2026-11-14T10:00:00')] },
  );
  expect(text).toContain('We decided the thing 39 of session 1.');
  expect(text).toContain('(there is more, in no note yet)');
  expect(text).not.toContain('got no answer');
});

it('a secret that spans lines of a note is hidden, and the lines after it keep their numbers', async () => {
  const key = [
    '-----BEGIN PRIVATE KEY-----',
    ...Array(3).fill('c2VjcmV0'.repeat(8)),
    '-----END PRIVATE KEY-----',
  ];
  const note = sessionNote.replace(
    '> and now?',
    [...key, 'We decided to rotate it.'].map((line) => `> ${line}`).join('\n'),
  );
  const text = await briefOf({ ...project, [sessionPath]: note });
  expect(text).toContain('20 | > [secret removed]\n25 | > We decided to rotate it.\n');
  expect(text).not.toContain('c2Vj');
});
