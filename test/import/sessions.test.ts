import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  appendFileSync,
  copyFileSync,
  globSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { basename, dirname, join } from 'node:path';
import Database from 'better-sqlite3';
import { expect, it } from 'vitest';
import { readEnvironment } from '../../packages/vault/src/app/index.ts';
import type { SessionEvent } from '../../packages/vault/src/hook/index.ts';
import {
  drain,
  findTranscripts,
  importSessions,
  planSessionImport,
  transcriptClients,
} from '../../packages/vault/src/sessions/index.ts';
import { agentVault } from '../agents/agent-vault.ts';
import { createSecretShapes } from '../secrets/secret-shapes.ts';
import { formatClaudeCode, stableId, store } from './session-transcripts.ts';
import type { StoredSession } from './session-transcripts.ts';

const start = Date.parse('2026-03-02T09:00:00');
const long = 'We looked at it for a while, and compared what there is. '.repeat(5);

function aSession(name: string, more: Partial<StoredSession> = {}): StoredSession {
  return {
    id: stableId(name),
    folder: '/code/startup-x',
    at: start,
    turns: [
      { prompt: `${name}: which database? ${long}`, answer: `SQLite, as it needs no server. ${long}` },
      { prompt: `${name}: and the port?`, answer: 'It is 4319.' },
    ],
    ...more,
  };
}

/** A user with a vault, a home folder with transcripts, and a link from /code/startup-x to the project x. */
async function aUser({ hasModel = false, settings = {} }: { hasModel?: boolean; settings?: object } = {}) {
  const vault = await agentVault({ 'projects/x/state.md': '# State\n' }, hasModel ? {} : { model: null });
  const home = join(vault.state, '..', 'home');
  const config = join(home, '.config', 'keepsake');
  mkdirSync(config, { recursive: true });
  writeFileSync(
    join(config, 'sessions.json'),
    JSON.stringify({
      vault: vault.folder,
      capture: 'linked',
      links: { '/code/startup-x': 'x' },
      ...settings,
    }),
  );
  const environment = readEnvironment({
    ...vault.variables,
    HOME: home,
    XDG_CONFIG_HOME: join(home, '.config'),
    XDG_STATE_HOME: '',
    XDG_DATA_HOME: '',
  });
  const { keepsake } = vault;
  const run = async ({
    file = 0,
    since = null as number | null,
    signal = new AbortController().signal,
  } = {}) => {
    const { sources, close } = await findTranscripts(transcriptClients, environment);
    const onProgress = (): void => undefined;
    const plan = await planSessionImport({ keepsake, environment, sources, since, signal, onProgress });
    const result = await importSessions(plan.sessions, {
      keepsake,
      environment,
      file,
      clock: Date.now,
      signal,
      onProgress,
    });
    close();
    return { plan, result };
  };
  const notes = (below = 'projects/x/bucket/sessions'): string[] =>
    globSync(join(vault.folder, below, '*.md'))
      .toSorted()
      .map((file) => readFileSync(file, 'utf8'));
  return { ...vault, home, environment, run, notes };
}

const nothing = { notes: 0, updates: 0, failed: [], left: 0 };

it.each([
  ['claudeCode', 'claude-code', 'Claude Code', ['branch: "main"']],
  ['codex', 'codex', 'Codex', ['remote: "github.com/o/x"', 'branch: "main"']],
  ['gemini', 'gemini-cli', 'Gemini CLI', []],
  ['opencode', 'opencode', 'OpenCode', []],
] as const)(
  'a transcript of %s becomes a note as live capture writes it, once',
  async (kind, client, title, git) => {
    const { home, run, notes, folder, keepsake } = await aUser();
    store[kind](home, aSession('one', { remoteUrl: 'https://github.com/o/x.git' }));
    const { plan, result } = await run();
    expect(plan.projects).toEqual([
      { project: 'x', sessions: 1, days: 1, words: expect.any(Number), known: 0 },
    ]);
    expect(result).toMatchObject({ ...nothing, notes: 1 });
    const [note = ''] = notes();
    expect(readdirSync(join(folder, 'projects/x/bucket/sessions'))).toEqual([
      expect.stringMatching(new RegExp(`^2026-03-02-0900-${client}-[0-9a-f]{8}\\.md$`)),
    ]);
    expect(note).toMatch(/^# one: which database\? We looked/m);
    expect(note).toMatch(/^created: 2026-03-02/m);
    expect(
      note.split('\n').filter((line) => /^(?:source|folder|remote|branch|ended|filed):/.test(line)),
    ).toEqual([
      `source: "${title}"`,
      'folder: "/code/startup-x"',
      ...git,
      expect.stringMatching(/^ended: "2026-03-02T09:01:\d\d"$/),
      'filed: false',
    ]);
    expect(note).toContain('## 09:00\n\n> one: which database?');
    expect(note).toContain('SQLite, as it needs no server.');
    expect(note).toContain('## 09:01\n\n> one: and the port?\n\nIt is 4319.');
    expect(note).not.toMatch(/TOOL OUTPUT|INJECTED|I look at it first|_context>/);
    const changes = keepsake.changes.list({ limit: 10 }).length;
    const again = await run();
    expect(again.plan).toMatchObject({ projects: [{ sessions: 0, known: 1 }], sessions: [] });
    expect(again.result).toMatchObject(nothing);
    expect([notes(), keepsake.changes.list({ limit: 10 }).length]).toEqual([[note], changes]);
  },
);

it('the plan counts and the import skips sessions of programs and subagents, short, excluded and own ones', async () => {
  const { home, run, notes, environment } = await aUser({
    settings: { links: { '/code/startup-x': 'x', '/code/secret': null } },
  });
  store.claudeCode(home, aSession('script', { isUnattended: true }));
  store.codex(home, aSession('exec', { isUnattended: true }));
  store.claudeCode(home, aSession('agent', { isSubagent: true }));
  store.codex(home, aSession('agent', { isSubagent: true }));
  store.gemini(home, aSession('agent', { isSubagent: true }));
  store.opencode(home, aSession('agent', { isSubagent: true }));
  store.claudeCode(home, aSession('hello', { turns: [{ prompt: 'Hello', answer: 'Hi.' }] }));
  store.claudeCode(home, aSession('private', { folder: '/code/secret/part' }));
  store.claudeCode(home, aSession('own', { folder: join(environment.stateHome, 'run') }));
  const said = { prompt: 'ok, go on please', answer: long.repeat(3) };
  store.claudeCode(home, aSession('acknowledged', { turns: [said, said] }));
  const { plan, result } = await run();
  expect(plan.skipped).toEqual({ unattended: 2, subagent: 4, short: 2, excluded: 1, own: 1 });
  expect(plan.sessions).toEqual([]);
  expect(result).toMatchObject(nothing);
  expect(notes()).toEqual([]);
});

it('the import skips what Keepsake runs through Claude Code and Codex, also if runs of programs are imported', async () => {
  const { home, run, environment } = await aUser({ settings: { unattended: true } });
  const { stateHome } = environment;
  // The programs report their folder without symbolic links.
  const actual = join(home, 'elsewhere');
  mkdirSync(join(actual, 'agent', 'work'), { recursive: true });
  mkdirSync(dirname(stateHome), { recursive: true });
  symlinkSync(actual, stateHome);
  for (const base of [stateHome, realpathSync(actual)]) {
    const folder = join(base, 'agent', 'work');
    store.claudeCode(home, aSession(`claude in ${base}`, { folder, isUnattended: true }));
    store.codex(home, aSession(`codex in ${base}`, { folder, isUnattended: true }));
  }
  expect((await run()).plan).toMatchObject({ skipped: { own: 4 }, sessions: [] });
});

it('the project is that of the link, of the git remote, or of the same name; other folders are listed', async () => {
  const { home, run, notes } = await aUser({
    settings: { links: { 'github.com/owner/startup-x': 'x', '/code/gone': 'gone' } },
  });
  const remoteUrl = 'git@github.com:Owner/Startup-X.git';
  store.codex(home, aSession('by remote', { folder: '/gone', remoteUrl }));
  store.gemini(home, aSession('by name', { folder: '/elsewhere/x' }));
  store.opencode(home, aSession('other', { folder: '/code/other' }));
  store.gemini(home, aSession('of no project', { folder: '/code/gone' }));
  const { plan } = await run();
  expect(new Set(plan.folders)).toEqual(
    new Set([
      { folder: '/code/other', sessions: 1 },
      { folder: '/code/gone', sessions: 1 },
    ]),
  );
  expect(notes()).toHaveLength(2);
  expect(notes('bucket/sessions').join()).toContain('> other: which database?');
});

it('a title of the client is in the note, without secrets', async () => {
  const { home, run, notes } = await aUser();
  const [shape = expect.unreachable()] = createSecretShapes(7);
  store.claudeCode(home, aSession('one', { title: 'Choose a\ndatabase' }));
  store.gemini(home, aSession('two', { title: shape.text }));
  store.opencode(home, aSession('three', { title: 'Pick a port' }));
  store.codex(home, aSession('four'));
  const threads = new Database(join(home, '.codex', 'state_5.sqlite'));
  threads.exec('create table threads (id text, name text, title text, first_user_message text)');
  threads.prepare('insert into threads values (?, null, ?, ?)').run(stableId('four'), 'Use SQLite', 'four');
  threads.close();
  await run();
  const all = notes().join('\n');
  expect(all.match(/^# .*$/gm)).toHaveLength(4);
  for (const title of ['Choose a database', 'Pick a port', 'Use SQLite'])
    expect(all).toContain(`# ${title}\n`);
  expect(all).not.toContain(shape.secret);
});

it('a session that grows continues in its note, also at a compaction and after an undo', async () => {
  const { home, run, notes, keepsake } = await aUser();
  const session = aSession('one');
  store.claudeCode(home, session);
  const { result } = await run();
  const more = { prompt: `Later: ${long}`, answer: `Yes. ${long}` };
  store.claudeCode(home, { ...session, turns: [...session.turns, more] });
  const file = globSync(join(home, '.claude/projects/*/*.jsonl'))[0] ?? expect.unreachable();
  const summary = {
    isSidechain: false,
    promptId: 'compaction',
    type: 'user',
    message: {
      role: 'user',
      content:
        'This session is being continued from a previous conversation that ran out of context. The summary below covers the earlier portion of the conversation.\n\n# Summary\nLong.\n## Worth remembering\n- The port is 4319.\n\nIf you need specific details from before compaction, read the full transcript at: /x.jsonl',
    },
    isCompactSummary: true,
    timestamp: new Date(start + 600_000).toISOString(),
    cwd: session.folder,
  };
  appendFileSync(file, `${JSON.stringify(summary)}\n{"type":"user","mess`);
  expect((await run()).result).toMatchObject({ ...nothing, notes: 1 });
  const [note = '', ...others] = notes();
  expect(others).toEqual([]);
  expect(note.match(/> one: which database/g)).toHaveLength(1);
  expect(note).toContain('> Later:');
  expect(note).toMatch(/summary by Claude Code\n\n- The port is 4319\.\n$/);
  const [last] = keepsake.changes.list({ limit: 1 });
  await keepsake.changes.undo(last?.id ?? '');
  await keepsake.changes.undo(result.changes[0] ?? '');
  expect(notes()).toEqual([]);
  expect((await run()).result).toMatchObject({ ...nothing, notes: 1 });
  expect(notes()[0]?.match(/> (?:one: which|Later)/g)).toHaveLength(2);
});

it('a session in two transcripts, one of which went on, is in one note without repeated turns', async () => {
  const { home, run, notes } = await aUser();
  const session = aSession('one');
  store.claudeCode(home, session);
  // The user has copied a folder of the client.
  const [file = ''] = globSync(join(home, '.claude/projects/*/*.jsonl'));
  mkdirSync(join(home, '.claude/projects/copy'));
  copyFileSync(file, join(home, '.claude/projects/copy', basename(file)));
  const later = { prompt: `Later: ${long}`, answer: `Yes. ${long}` };
  store.claudeCode(home, { ...session, turns: [...session.turns, later] });
  store.claudeCode(home, aSession('another', { at: start - 3_600_000 }));
  expect((await run()).result).toMatchObject({ failed: [], left: 0 });
  const [other = '', note = '', ...more] = notes();
  expect(more).toEqual([]);
  expect(other).toContain('> another: which database');
  for (const words of ['> one: which database', '> one: and the port', '> Later:'])
    expect(note.split(words)).toHaveLength(2);
  expect((await run()).plan.sessions).toEqual([]);
});

it('an answer that went on after an import is in the note after the next one', async () => {
  const { home, run, notes } = await aUser();
  const last = {
    prompt: `one: import the sessions. ${long}`,
    answer: `They are imported. ${long.repeat(2)}`,
  };
  const session = aSession('one', { turns: [...aSession('one').turns, last] });
  store.claudeCode(home, session);
  const file = globSync(join(home, '.claude/projects/*/*.jsonl'))[0] ?? expect.unreachable();
  const whole = readFileSync(file, 'utf8');
  // The user asked the client to run the import, so its answer has only begun.
  writeFileSync(file, whole.slice(0, whole.lastIndexOf('I look at it first.') + 400));
  expect((await run()).result).toMatchObject({ ...nothing, notes: 1 });
  writeFileSync(file, whole);
  await run();
  expect(notes().join()).toContain('They are imported.');
  expect(
    notes()
      .join()
      .match(/> one: import/g),
  ).toHaveLength(1);
});

it('a note that continues keeps the words in it, and is not touched if they are not UTF-8', async () => {
  const { home, run, notes, folder } = await aUser();
  const session = aSession('one');
  session.turns[0] = {
    prompt: `one: which field? ${long}`,
    answer: `This one:\n\nfiled: true\nended: soon\n\n${long}`,
  };
  store.claudeCode(home, session);
  await run();
  const grow = (name: string): void => {
    session.turns.push({ prompt: `${name}: ${long}`, answer: `Yes. ${long}` });
    store.claudeCode(home, session);
  };
  grow('Later');
  await run();
  expect(notes()[0]).toContain('\n\nfiled: true\nended: soon\n');
  expect(notes()[0]).toContain('> Later:');
  const [file = ''] = globSync(join(folder, 'projects/x/bucket/sessions/*.md'));
  const edited = Buffer.concat([readFileSync(file), Buffer.from('Caf\u00e9\n', 'latin1')]);
  writeFileSync(file, edited);
  grow('Much later');
  expect((await run()).result.failed).toEqual([
    { name: expect.anything(), reason: expect.stringContaining('not text') },
  ]);
  expect(readFileSync(file).equals(edited)).toBe(true);
});

it('a session without a folder does not belong to the folder in which the import runs', async () => {
  const { home, run, notes } = await aUser({ settings: { links: { [process.cwd()]: 'x' } } });
  store.gemini(home, aSession('one'));
  rmSync(globSync(join(home, '.gemini/tmp/*/.project_root'))[0] ?? expect.unreachable());
  expect((await run()).result).toMatchObject({ ...nothing, notes: 1 });
  expect(notes()).toEqual([]);
  expect(notes('bucket/sessions')).toHaveLength(1);
});

/** What the hooks of Claude Code record of a turn of a stored session; the time differs slightly. */
function record(spool: string, vault: string, session: StoredSession, index: number): void {
  mkdirSync(spool, { recursive: true });
  const id = stableId(`${session.id} ${index}`);
  const { prompt, answer } = session.turns[index] ?? expect.unreachable();
  const events: [SessionEvent['event'], string, number, string[]][] = [
    ['prompt', prompt.trim(), 40, [id, prompt.trim()]],
    ['turn', answer.trim(), 30_900, [id, '']],
    ['session-end', 'other', 31_000, ['', `other ${index}`]],
  ];
  for (const [event, text, delay, identity] of events) {
    const key = createHash('sha256')
      .update(['claude-code', session.id, event, ...identity].join('\0'))
      .digest('hex')
      .slice(0, 32);
    const part: SessionEvent = {
      v: 1,
      client: 'claude-code',
      event,
      session: session.id,
      key,
      at: session.at + index * 60_000 + delay,
      vault,
      folder: session.folder,
      remote: null,
      project: 'x',
      text,
      secrets: 0,
      cut: 0,
    };
    writeFileSync(join(spool, `${key}.json`), JSON.stringify(part));
  }
}

it.each([false, true])(
  'a session that live capture added is not imported again (model: %s)',
  async (hasModel) => {
    const { home, run, notes, environment, keepsake, folder } = await aUser({ hasModel });
    const { stateHome } = environment;
    const session = aSession('one', { turns: aSession('one').turns.slice(0, 1) });
    store.claudeCode(home, session);
    record(join(stateHome, 'spool'), folder, session, 0);
    expect((await run()).plan).toMatchObject({ skipped: { recording: 1 }, sessions: [] });
    const drained = await drain({ keepsake, stateHome, hasModel: () => hasModel, clock: Date.now });
    expect(hasModel ? drained.updates : drained.notes).toHaveLength(1);
    const before = notes();
    expect(await run()).toMatchObject({ plan: { projects: [{ known: 1 }], sessions: [] }, result: nothing });
    expect(notes()).toEqual(before);
  },
);

it('live capture after an import continues the note and repeats no turn', async () => {
  const { home, run, notes, environment, keepsake, folder } = await aUser();
  const { stateHome } = environment;
  const session = aSession('one');
  store.claudeCode(home, session);
  await run();
  const later = { prompt: `Live: ${long}`, answer: `Recorded. ${long}` };
  const grown = { ...session, turns: [...session.turns, later] };
  store.claudeCode(home, grown);
  // The hook of the last imported turn was late.
  for (const index of [1, 2]) record(join(stateHome, 'spool'), folder, grown, index);
  const { notes: written } = await drain({ keepsake, stateHome, hasModel: () => false, clock: Date.now });
  expect(written).toHaveLength(1);
  const [note = '', ...others] = notes();
  expect(others).toEqual([]);
  expect(note.match(/> (?:one: which|one: and|Live)/g)).toHaveLength(3);
  expect((await run()).result).toMatchObject(nothing);
});

it('an interrupted import leaves whole notes, and the next one continues', async () => {
  const { home, run, notes } = await aUser();
  for (let index = 0; index < 120; index += 1)
    store.claudeCode(home, aSession(`s${index}`, { at: start + index * 3_600_000 }));
  let reads = 0;
  const stopping = new AbortController();
  const signal = new Proxy(stopping.signal, {
    get(target, name) {
      if (name === 'aborted') {
        reads += 1;
        if (reads === 60) stopping.abort();
      }
      const value: unknown = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const { result } = await run({ signal });
  expect(result.left).toBeGreaterThan(0);
  const first = notes().length;
  expect(first).toBe(result.notes);
  expect(first).toBeGreaterThan(0);
  const { result: rest, plan } = await run();
  expect([plan.projects[0]?.known, rest.notes, notes().length]).toEqual([first, 120 - first, 120]);
  expect(new Set(notes().map((note) => /> (s\d+): which/.exec(note)?.[1])).size).toBe(120);
});

it('--file submits the newest sessions to the model within the daily limit, and the others become notes', async () => {
  const { home, run, notes, keepsake, model } = await aUser({ hasModel: true });
  for (let index = 0; index < 25; index += 1)
    store.codex(home, aSession(`s${index}.`, { at: start + index * 3_600_000 }));
  expect((await run({ file: 3 })).result).toMatchObject({ ...nothing, updates: 3, notes: 22 });
  const texts = keepsake.agents.updates.list({ limit: 100 }).map(({ input }) => input.text);
  expect(texts.map((text) => /> (s\d+)\.: which/.exec(text)?.[1] ?? '').toSorted()).toEqual([
    's22',
    's23',
    's24',
  ]);
  expect(notes()).toHaveLength(22);
  expect((await run({ file: 3 })).result).toMatchObject(nothing);
  for (let index = 30; index < 55; index += 1)
    store.codex(home, aSession(`s${index}.`, { at: start + index * 3_600_000 }));
  expect((await run({ file: 25 })).result).toMatchObject({ ...nothing, updates: 17, notes: 8 });
  expect(model.requests).toEqual([]);
});

it('--since leaves out sessions that ended earlier', async () => {
  const { home, run } = await aUser();
  store.claudeCode(home, aSession('old'));
  store.claudeCode(home, aSession('new', { at: start + 40 * 86_400_000 }));
  const { plan } = await run({ since: Date.parse('2026-04-01T00:00:00') });
  expect([plan.sessions.length, plan.skipped.older]).toEqual([1, 1]);
});

it('only a note that would load something from the network waits for approval', async () => {
  const { home, run, notes, keepsake } = await aUser();
  store.claudeCode(home, aSession('plain'));
  const turns = [{ prompt: long, answer: `See ![chart](https://example.com/c.png). ${long}` }];
  store.claudeCode(home, aSession('picture', { turns }));
  await run();
  expect(notes()).toHaveLength(1);
  expect(
    keepsake.changes
      .list({ limit: 5 })
      .map(({ state }) => state)
      .toSorted(),
  ).toEqual(['applied', 'held']);
  expect((await run()).result).toMatchObject(nothing);
});

it('the plan reads only the ends of a long transcript, unless they contain no words', async () => {
  const { home, environment } = await aUser();
  const turns = Array.from({ length: 40 }, (_, index) => ({
    prompt: `Question ${index}. ${long}`,
    answer: long,
  }));
  store.claudeCode(home, aSession('large', { turns, noise: 40_000 }));
  const { sources } = await findTranscripts(['claude-code'], environment);
  const [source = expect.unreachable()] = sources;
  expect(source.bytes).toBeGreaterThan(1_000_000);
  const { transcript, readBytes, hasLastTurn } = source.sample();
  expect([readBytes, hasLastTurn]).toEqual([131_072, true]);
  expect(transcript.turns[0]?.text).toContain('Question 0.');
  expect(transcript.turns.at(-1)?.at).toBe(start + 39 * 60_000 + 30_000);
  expect(transcript.turns.length).toBeLessThan(20);
  expect((await source.read()).turns).toHaveLength(80);
  const file = globSync(join(home, '.claude/projects/*/*.jsonl'))[0] ?? expect.unreachable();
  appendFileSync(file, `${JSON.stringify({ type: 'attachment', text: 'c'.repeat(100_000) })}\n`);
  const [longer = expect.unreachable()] = (await findTranscripts(['claude-code'], environment)).sources;
  expect(longer.sample().hasLastTurn).toBe(false);
});

it('the plan leaves out a long transcript that has too few words for a note', async () => {
  const { home, run } = await aUser();
  const turns = Array.from({ length: 4 }, () => ({ prompt: 'Continue.', answer: 'It is done.' }));
  store.claudeCode(home, aSession('large', { turns, noise: 100_000 }));
  store.codex(home, aSession('large too', { turns, noise: 100_000 }));
  const { plan, result } = await run();
  expect(plan).toMatchObject({ projects: [], sessions: [], skipped: { short: 2 } });
  expect(result).toMatchObject(nothing);
});

it('none of 120 secrets in transcripts reaches the vault, its state, index, log or history', async () => {
  const { home, run, notes, keepsake, folder, state } = await aUser();
  const [shapes, others, more] = [1, 2, 3].map((seed) => createSecretShapes(seed));
  const secrets: string[] = [];
  const kinds = [store.claudeCode, store.codex, store.gemini, store.opencode];
  for (let index = 0; index < 40; index += 1) {
    const [asked, answered, titled] = [shapes?.[index], others?.[index + 100], more?.[index + 200]];
    if (asked === undefined || answered === undefined || titled === undefined) expect.unreachable();
    secrets.push(asked.secret, answered.secret, titled.secret);
    kinds[index % 4]?.(
      home,
      aSession(`s${index}`, {
        title: titled.text,
        turns: [{ prompt: `${long}${asked.text}`, answer: `${long}${answered.text}` }],
      }),
    );
  }
  expect(new Set(secrets).size).toBe(120);
  const { result } = await run();
  expect(result.notes).toBe(40);
  await keepsake.search.prepare('fast', () => undefined);
  await keepsake.changes.record();
  const repository = globSync(join(state, '**/HEAD')).map((file) => dirname(file))[0];
  const objects = execFileSync('git', ['cat-file', '--batch', '--batch-all-objects'], {
    cwd: repository,
    maxBuffer: 100_000_000,
  });
  const everything = [folder, state]
    .flatMap((below) => readdirSync(below, { recursive: true, withFileTypes: true }))
    .filter((entry) => entry.isFile())
    .map((entry) => readFileSync(join(entry.parentPath, entry.name), 'latin1'));
  const history = objects.toString('latin1');
  expect(history).toContain('[secret removed]');
  const all = [...everything, ...notes(), history].join('\n');
  expect(secrets.filter((secret) => all.includes(secret))).toEqual([]);
});

it('a damaged transcript stops neither the plan nor the import', async () => {
  const { home, run, notes } = await aUser();
  store.claudeCode(home, aSession('good'));
  const folder = join(home, '.claude', 'projects', '-code-startup-x');
  const broken = formatClaudeCode(aSession('broken')).replaceAll('"timestamp":"2026', '"timestamp":"soon');
  writeFileSync(join(folder, `${stableId('broken')}.jsonl`), `\u0000\u0000\n[1]\n"x"\n${broken}`);
  writeFileSync(join(folder, `${stableId('empty')}.jsonl`), '');
  mkdirSync(join(folder, 'folder.jsonl'));
  const { plan, result } = await run();
  expect([plan.skipped, result.notes, notes().length]).toEqual([{ short: 2 }, 1, 1]);
});
