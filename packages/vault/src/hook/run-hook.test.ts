import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { expect, it, onTestFinished, vi } from 'vitest';
import { temporaryFolder } from '../../../../test/temporary-vault.ts';
import { runHook } from './index.ts';
import type { SessionEvent } from './index.ts';

type Settings = { capture?: string; links?: Record<string, string | null>; unattended?: boolean };

function createUser(settings: Settings = {}) {
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
    input: object | string,
    more: NodeJS.ProcessEnv = {},
    client = 'auto',
    brief: Parameters<typeof runHook>[1]['brief'] = async ({ place }) => ({
      text: `brief of ${place.folder}`,
      message: 'Keepsake: x',
    }),
  ): Promise<string> => {
    let printed = '';
    const text =
      typeof input === 'string' ? input : JSON.stringify({ session_id: 's1', cwd: '/code/a', ...input });
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
  const parts = (): SessionEvent[] => {
    try {
      return readdirSync(spool)
        .filter((name) => name.endsWith('.json'))
        .map((name) => JSON.parse(readFileSync(join(spool, name), 'utf8')) as SessionEvent);
    } catch {
      return [];
    }
  };
  /** The events of the claims that were not recorded. */
  const lost = (): string[] =>
    [join(spool, 'claims'), join(configuration, 'lost')].flatMap((folder) =>
      existsSync(folder) ? readdirSync(folder).map((name) => name.split('.')[0] ?? '') : [],
    );
  /** The error of the last call of a hook. */
  const problem = (hook: string): unknown =>
    (JSON.parse(readFileSync(join(spool, '..', 'hooks', `${hook}.json`), 'utf8')) as { problem: unknown })
      .problem;
  return { call, parts, lost, problem, spool, configuration, drained };
}

it('a hook spools each event once, readable only by the user, and without secrets', async () => {
  const { call, parts, lost, spool } = createUser();
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

it('a hook keeps repeated prompts without an id, in order and with their answers', async () => {
  const { call, parts } = createUser();
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

it('a hook keeps two prompts of one turn, and keeps a prompt that is reported twice only at its first position', async () => {
  const { call, parts } = createUser();
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

it('a hook keeps both ends of long texts, and only the section "Worth remembering" of a summary', async () => {
  const { call, parts } = createUser();
  await call('turn', { last_assistant_message: `${'a'.repeat(9_000)}end`, prompt_id: 'p1' });
  await call('prompt', { prompt: `${'a'.repeat(9_000)} We take SQLite.`, prompt_id: 'p1' });
  await call('post-compact', {
    compact_summary: '# Summary\nlong\n## Worth remembering\n- SQLite\n## Next\nmore',
  });
  const [turn, prompt, summary] = ['turn', 'prompt', 'post-compact'].map((event) =>
    parts().find((part) => part.event === event),
  );
  expect(turn?.text.length).toBeLessThan(3_100);
  expect(turn?.text.endsWith('end')).toBe(true);
  expect(prompt?.text).toMatch(/^a{2000}\n\[…\]\na+ We take SQLite\.$/);
  expect(summary?.text).toBe('- SQLite');
});

it.each<[string, Settings, object, NodeJS.ProcessEnv]>([
  ['capture is turned off', { capture: 'never' }, {}, {}],
  ['the folder is not linked', { links: {} }, {}, {}],
  ['the folder is excluded', { capture: 'everywhere', links: { '/code': null } }, {}, {}],
  ['capture is off for this session', {}, {}, { KEEPSAKE_CAPTURE: 'off' }],
  ['the session is unattended', {}, {}, { CLAUDE_CODE_SESSION_ATTENDED: '0' }],
  ['the prompt is from a subagent', {}, { agent_id: 'a1' }, {}],
  ['the prompt is a slash command', {}, { prompt: '/compact' }, {}],
  ['the prompt is from a program', {}, { source: 'loop_wakeup' }, {}],
])('a hook records nothing if %s', async (_, settings, input, more) => {
  const { call, parts, lost } = createUser(settings);
  expect(await call('prompt', { prompt: 'Which database?', ...input }, more)).toBe('');
  expect([parts(), lost()]).toEqual([[], []]);
});

it('a hook records unlinked folders and unattended sessions if the settings say so', async () => {
  const { call, parts } = createUser({ capture: 'everywhere', links: {}, unattended: true });
  await call('prompt', { prompt: 'Which database?' }, { CLAUDE_CODE_SESSION_ATTENDED: '0' });
  expect(parts()).toMatchObject([{ project: null, text: 'Which database?' }]);
});

it('a hook records prompt and answer from one event of Gemini CLI', async () => {
  const { call, parts } = createUser();
  await call('after-agent', { prompt: 'Which database?', prompt_response: 'SQLite.' }, {}, 'gemini-cli');
  expect(parts().toSorted((a, b) => a.at - b.at)).toMatchObject([
    { client: 'gemini-cli', event: 'prompt', text: 'Which database?' },
    { client: 'gemini-cli', event: 'turn', text: 'SQLite.' },
  ]);
});

it('a hook understands the field names of Cursor', async () => {
  const { call, parts } = createUser();
  const of = (input: object): string =>
    JSON.stringify({ conversation_id: 'c1', workspace_roots: ['/code/a'], ...input });
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

it('a hook records the branch and, at the end, the title that the client gave the session', async () => {
  const { call, parts } = createUser({ capture: 'everywhere' });
  const folder = temporaryFolder();
  mkdirSync(join(folder, '.git'));
  writeFileSync(join(folder, '.git', 'HEAD'), 'ref: refs/heads/fix/import\n');
  const transcript = join(folder, 'session.jsonl');
  const titles = [
    { type: 'ai-title', aiTitle: 'Old title' },
    { type: 'user', message: '"type":"custom-title"' },
    { type: 'ai-title', aiTitle: `Import with password: Xk9!vTq2Zp` },
  ];
  writeFileSync(transcript, titles.map((line) => JSON.stringify(line)).join('\n'));
  await call('prompt', { cwd: folder, prompt: 'Which database?' });
  await call('session-end', { cwd: folder, reason: 'other', transcript_path: transcript });
  await call('session-end', { cwd: folder, session_id: 's2', reason: 'other', transcript_path: '/dev/zero' });
  expect(parts().toSorted((a, b) => a.at - b.at)).toMatchObject([
    { event: 'prompt', branch: 'fix/import' },
    { event: 'session-end', title: 'Import with password: [secret removed]' },
    expect.not.objectContaining({ title: expect.anything() }),
  ]);
});

it('a hook drains the spool when a session ends or is compacted, but not when it is resumed', async () => {
  const { call, drained } = createUser();
  await call('prompt', { prompt: 'Which database?' });
  await call('session-end', { reason: 'resume' });
  expect(drained).toEqual([]);
  await call('post-compact', { compact_summary: 'SQLite.' });
  await call('session-end', { reason: 'other' });
  expect(drained).toEqual(['/vault', '/vault']);
});

it('a hook prints the brief at session start and an instruction before compaction, and nothing else', async () => {
  const { call } = createUser();
  expect(JSON.parse(await call('session-start', { source: 'startup' }))).toEqual({
    systemMessage: 'Keepsake: x',
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
])('a hook counts an unreadable prompt as lost and prints nothing: %.60s', async (input) => {
  const { call, parts, lost, problem } = createUser();
  expect(await call('prompt', input)).toBe('');
  expect([parts(), lost()]).toEqual([[], ['prompt']]);
  expect(problem('claude-code-prompt')).toEqual(expect.any(String));
});

it('a hook does not count an unreadable prompt as lost if capture is turned off', async () => {
  const { call, lost } = createUser({ capture: 'never' });
  await call('prompt', 'no json');
  expect(lost()).toEqual([]);
});

it('a hook records nothing while the settings are unreadable, and counts the events as lost', async () => {
  const { call, parts, lost, problem, configuration } = createUser();
  writeFileSync(join(configuration, 'sessions.json'), '{"vault": ');
  await call('prompt', { prompt: 'Which database?' });
  await call('after-agent', { prompt: 'Which database?', prompt_response: 'SQLite.' }, {}, 'gemini-cli');
  expect([parts(), lost().toSorted()]).toEqual([[], ['prompt', 'prompt', 'turn']]);
  expect(problem('claude-code-prompt')).toBe('sessions.json cannot be read');
});

it('a hook counts lost events in the configuration folder while the state folder is not writable', async () => {
  const { call, parts, lost, spool } = createUser();
  const state = join(spool, '..');
  mkdirSync(join(state, '..'), { recursive: true });
  writeFileSync(state, 'no folder');
  await call('prompt', { prompt: 'Which database?' });
  rmSync(state);
  expect([parts(), lost()]).toEqual([[], ['prompt']]);
});

it('a hook gives up on the brief after the timeout and records the error', async () => {
  const { call, problem } = createUser();
  vi.useFakeTimers({ toFake: ['setTimeout'] });
  onTestFinished(() => void vi.useRealTimers());
  const forever = (): Promise<never> => {
    setImmediate(() => vi.runAllTimers());
    return new Promise(() => undefined);
  };
  expect(await call('session-start', { source: 'startup' }, {}, 'auto', forever)).toBe('');
  expect(problem('claude-code-session-start')).toBe('the brief took longer than 3 s');
});
