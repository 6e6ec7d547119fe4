import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { runHook } from './index.ts';
import type { Part } from './index.ts';

type Settings = { capture?: string; links?: Record<string, string | null>; unattended?: boolean };

function person(settings: Settings = {}) {
  const home = temporaryFolder();
  const variables: NodeJS.ProcessEnv = {
    XDG_STATE_HOME: join(home, 'state'),
    XDG_CONFIG_HOME: join(home, 'config'),
    CLAUDECODE: '1',
  };
  const configuration = join(home, 'config', 'keepsake');
  mkdirSync(configuration, { recursive: true });
  const written = { vault: '/vault', capture: 'linked', links: { '/code': 'x' }, ...settings };
  writeFileSync(join(configuration, 'sessions.json'), JSON.stringify(written));
  const spool = join(home, 'state', 'keepsake', 'spool');
  const drained: string[] = [];
  let calledAt = Date.now();
  const call = async (
    event: string,
    said: object | string,
    more: NodeJS.ProcessEnv = {},
    client = 'auto',
    brief: Parameters<typeof runHook>[1]['brief'] = async ({ folder }) => `brief of ${folder}`,
  ): Promise<string> => {
    let printed = '';
    const text =
      typeof said === 'string' ? said : JSON.stringify({ session_id: 's1', cwd: '/code/a', ...said });
    calledAt += 1_000;
    await runHook([client, event], {
      calledAt,
      variables: { ...variables, ...more },
      input: () => Readable.from([Buffer.from(text)]),
      print: (output) => (printed += output),
      brief,
      drain: async (vault) => void drained.push(vault),
    });
    return printed;
  };
  const parts = (): Part[] => {
    try {
      return readdirSync(spool)
        .filter((name) => name.endsWith('.json'))
        .map((name) => JSON.parse(readFileSync(join(spool, name), 'utf8')) as Part);
    } catch {
      return [];
    }
  };
  /** The parts that were claimed and not recorded, by their events. */
  const lost = (): string[] =>
    [join(spool, 'claims'), join(configuration, 'lost')].flatMap((folder) =>
      existsSync(folder) ? readdirSync(folder).map((name) => name.split('.')[0] ?? '') : [],
    );
  /** What the last call of a hook says went wrong. */
  const problem = (hook: string): unknown =>
    (JSON.parse(readFileSync(join(spool, '..', 'hooks', `${hook}.json`), 'utf8')) as { problem: unknown })
      .problem;
  return { call, parts, lost, problem, spool, configuration, drained };
}

it('spools what was said, once, for nobody else to read, and without secrets', async () => {
  const { call, parts, lost, spool } = person();
  const secret = `ghp_${'a1B2'.repeat(9)}`;
  for (let time = 0; time < 2; time += 1)
    await call('prompt', { prompt: `Use ${secret}, please`, prompt_id: 'p1' });
  await call('turn', { last_assistant_message: 'Done.', prompt_id: 'p1' });
  expect(
    parts()
      .map(({ event, text, project, client, secrets }) => ({ event, text, project, client, secrets }))
      .toSorted((a, b) => a.event.localeCompare(b.event)),
  ).toEqual([
    {
      event: 'prompt',
      text: 'Use [secret removed], please',
      project: 'x',
      client: 'claude-code',
      secrets: 1,
    },
    { event: 'turn', text: 'Done.', project: 'x', client: 'claude-code', secrets: 0 },
  ]);
  expect(lost()).toEqual([]);
  expect(statSync(spool).mode & 0o777).toBe(0o700);
  for (const { key } of parts()) expect(statSync(join(spool, `${key}.json`)).mode & 0o777).toBe(0o600);
});

it('keeps a prompt that is repeated without an id, each with its answer, in their order', async () => {
  const { call, parts } = person();
  for (const answer of ['One file is left.', 'Done.']) {
    await call('prompt', { prompt: 'continue' }, {}, 'cursor');
    await call('turn', { text: answer }, {}, 'cursor');
  }
  expect(
    parts()
      .toSorted((a, b) => a.at - b.at)
      .map(({ text }) => text),
  ).toEqual(['continue', 'One file is left.', 'continue', 'Done.']);
});

it('keeps two prompts of one turn, and one that is reported again once and where it was', async () => {
  const { call, parts } = person();
  await call('prompt', { prompt: 'Run the tests', turn_id: 't1' });
  await call('prompt', { prompt: 'and the linter', turn_id: 't1' });
  await call('turn', { last_assistant_message: 'Both pass.', turn_id: 't1' });
  await call('prompt', { prompt: 'Run the tests', turn_id: 't1' });
  expect(
    parts()
      .toSorted((a, b) => a.at - b.at)
      .map(({ text }) => text),
  ).toEqual(['Run the tests', 'and the linter', 'Both pass.']);
});

it('cuts long words, and takes of a summary what is worth remembering', async () => {
  const { call, parts } = person();
  await call('turn', { last_assistant_message: `${'a'.repeat(9_000)}end`, prompt_id: 'p1' });
  await call('post-compact', {
    compact_summary: '# Summary\nlong\n## Worth remembering\n- SQLite\n## Next\nmore',
  });
  const [turn, summary] = ['turn', 'post-compact'].map((event) =>
    parts().find((part) => part.event === event),
  );
  expect(turn?.text.length).toBeLessThan(3_100);
  expect(turn?.text.endsWith('end')).toBe(true);
  expect(summary?.text).toBe('- SQLite');
});

it.each<[string, Settings, object, NodeJS.ProcessEnv]>([
  ['nothing is wanted', { capture: 'never' }, {}, {}],
  ['the folder is not linked', { links: {} }, {}, {}],
  ['the folder is off', { capture: 'everywhere', links: { '/code': null } }, {}, {}],
  ['it is off for this session', {}, {}, { KEEPSAKE_CAPTURE: 'off' }],
  ['nobody sits there', {}, {}, { CLAUDE_CODE_SESSION_ATTENDED: '0' }],
  ['a subagent speaks', {}, { agent_id: 'a1' }, {}],
  ['it is a command', {}, { prompt: '/compact' }, {}],
  ['a program wrote it', {}, { source: 'loop_wakeup' }, {}],
])('records nothing where %s', async (_, settings, said, more) => {
  const { call, parts, lost } = person(settings);
  expect(await call('prompt', { prompt: 'Which database?', ...said }, more)).toBe('');
  expect([parts(), lost()]).toEqual([[], []]);
});

it('records everywhere, and what nobody sits at, where that is wanted', async () => {
  const { call, parts } = person({ capture: 'everywhere', links: {}, unattended: true });
  await call('prompt', { prompt: 'Which database?' }, { CLAUDE_CODE_SESSION_ATTENDED: '0' });
  expect(parts()).toMatchObject([{ project: null, text: 'Which database?' }]);
});

it('takes what was asked and answered from Gemini CLI at once', async () => {
  const { call, parts } = person();
  await call('after-agent', { prompt: 'Which database?', prompt_response: 'SQLite.' }, {}, 'gemini-cli');
  expect(parts().toSorted((a, b) => a.at - b.at)).toMatchObject([
    { client: 'gemini-cli', event: 'prompt', text: 'Which database?' },
    { client: 'gemini-cli', event: 'turn', text: 'SQLite.' },
  ]);
});

it('understands Cursor, which has names of its own', async () => {
  const { call, parts } = person();
  const of = (said: object): string =>
    JSON.stringify({ conversation_id: 'c1', workspace_roots: ['/code/a'], ...said });
  expect(JSON.parse(await call('session-start', of({}), {}, 'cursor'))).toEqual({
    additional_context: 'brief of /code/a',
  });
  await call('prompt', of({ prompt: 'Which database?' }), {}, 'cursor');
  await call('turn', of({ text: 'SQLite.' }), {}, 'cursor');
  expect(parts().toSorted((a, b) => (a.event < b.event ? -1 : 1))).toMatchObject([
    { client: 'cursor', session: 'c1', folder: '/code/a', event: 'prompt', text: 'Which database?' },
    { client: 'cursor', event: 'turn', text: 'SQLite.' },
  ]);
});

it('has what is over brought in: a session that ended, or was compacted, and not one that goes on', async () => {
  const { call, drained } = person();
  await call('prompt', { prompt: 'Which database?' });
  await call('session-end', { reason: 'resume' });
  expect(drained).toEqual([]);
  await call('post-compact', { compact_summary: 'SQLite.' });
  await call('session-end', { reason: 'other' });
  expect(drained).toEqual(['/vault', '/vault']);
});

it('prints the brief at the start, what to add to a summary, and nothing else', async () => {
  const { call } = person();
  expect(JSON.parse(await call('session-start', { source: 'startup' }))).toEqual({
    hookSpecificOutput: { hookEventName: 'SessionStart', additionalContext: 'brief of /code/a' },
  });
  expect(await call('pre-compact', {})).toContain('Worth remembering');
  for (const event of ['prompt', 'turn', 'post-compact', 'session-end', 'other'])
    expect(await call(event, { prompt: 'x' })).toBe('');
});

it.each([
  '',
  'no json',
  '{"session_id":"s","cwd":"/code","prompt":"cut off',
  '[]',
  '{"session_id": 5}',
  '{"session_id":"s","cwd":"/code","prompt":["no text"]}',
  `{"session_id":"s","cwd":"/code","prompt":"${'x'.repeat(2_000_000)}"}`,
])('counts a prompt that cannot be read, and prints nothing: %.60s', async (said) => {
  const { call, parts, lost, problem } = person();
  expect(await call('prompt', said)).toBe('');
  expect([parts(), lost()]).toEqual([[], ['prompt']]);
  expect(problem('claude-code-prompt')).toEqual(expect.any(String));
});

it('counts no input of a client whose sessions are not recorded', async () => {
  const { call, lost } = person({ capture: 'never' });
  await call('prompt', 'no json');
  expect(lost()).toEqual([]);
});

it('counts everything that carries words while the settings cannot be read, and records nothing', async () => {
  const { call, parts, lost, problem, configuration } = person();
  writeFileSync(join(configuration, 'sessions.json'), '{"vault": ');
  await call('prompt', { prompt: 'Which database?' });
  await call('after-agent', { prompt: 'Which database?', prompt_response: 'SQLite.' }, {}, 'gemini-cli');
  expect([parts(), lost().toSorted()]).toEqual([[], ['prompt', 'prompt', 'turn']]);
  expect(problem('claude-code-prompt')).toBe('sessions.json cannot be read');
});

it('counts beside the settings what is lost while the state folder cannot be written to', async () => {
  const { call, parts, lost, spool } = person();
  const state = join(spool, '..');
  mkdirSync(join(state, '..'), { recursive: true });
  writeFileSync(state, 'no folder');
  await call('prompt', { prompt: 'Which database?' });
  rmSync(state);
  expect([parts(), lost()]).toEqual([[], ['prompt']]);
});

it('gives up the brief when it takes too long, and says so', async () => {
  const { call, problem } = person();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const forever = (): Promise<never> => {
    setImmediate(() => vi.runAllTimers());
    return new Promise(() => undefined);
  };
  expect(await call('session-start', { source: 'startup' }, {}, 'auto', forever)).toBe('');
  expect(problem('claude-code-session-start')).toBe('the brief took longer than 3 s');
});
