import { describe, expect, it } from 'vitest';
import { createClaudeEventReader } from './claude-events.ts';
import type { ModelError } from './error.ts';
import type { ProgramAnswer } from './program-chat.ts';

const endpoint = { baseUrl: '/usr/bin/claude', model: 'sonnet' };

function read(...values: object[]) {
  const answers: ProgramAnswer[] = [];
  const failures: ModelError[] = [];
  const texts: string[] = [];
  const reader = createClaudeEventReader(endpoint, {
    onAnswer: (answer) => void answers.push(answer),
    onFailure: (error) => void failures.push(error),
    onText: (text) => void texts.push(text),
    onActivity: () => undefined,
  });
  for (const value of values) reader(value);
  return { answers, failures, texts };
}

const stream = (event: object): object => ({ type: 'stream_event', event });
const said = (...content: object[]): object => ({ type: 'assistant', message: { content } });
const started = stream({
  type: 'message_start',
  message: { usage: { input_tokens: 5, cache_read_input_tokens: 100, cache_creation_input_tokens: 20 } },
});
const counted = (output: number): object =>
  stream({ type: 'message_delta', usage: { output_tokens: output } });
const stopped = stream({ type: 'message_stop' });
const call = (id: string): object => ({
  type: 'tool_use',
  id,
  name: 'mcp__vault__read',
  input: { paths: 'a.md' },
});
const usage = { input: 125, cached: 100, written: 20, output: 7 };

describe('the output of Claude Code', () => {
  it('is an answer with calls when the message ends, one block per event', () => {
    const { answers } = read(
      { type: 'system', subtype: 'init' },
      started,
      said({ type: 'thinking', thinking: 'Hm.' }),
      said({ type: 'text', text: 'Looking.' }),
      said(call('a')),
      said(call('b')),
      counted(7),
      stopped,
    );
    const toCall = (id: string) => ({ id, toolName: 'read', input: { paths: 'a.md' }, isInvalid: false });
    expect(answers).toEqual([{ text: 'Looking.', calls: [toCall('a'), toCall('b')], usage }]);
  });

  it('is an answer without calls when the turn ends, not when the message does', () => {
    const events = [started, said({ type: 'text', text: 'Done.' }), counted(7), stopped];
    expect(read(...events).answers).toEqual([]);
    expect(read(...events, { type: 'result', is_error: false, result: 'Done.' }).answers).toEqual([
      { text: 'Done.', calls: [], usage },
    ]);
  });

  it('adds the usage of messages that come before the answer', () => {
    const { answers } = read(started, counted(3), stopped, started, counted(4), stopped, {
      type: 'result',
      is_error: false,
    });
    expect(answers[0]?.usage).toEqual({ input: 250, cached: 200, written: 40, output: 7 });
  });

  it('shows the text while it is written', () => {
    const delta = (text: string): object =>
      stream({ type: 'content_block_delta', delta: { type: 'text_delta', text } });
    expect(read(started, delta('The '), delta('end.'), started, delta('Again')).texts).toEqual([
      'The ',
      'The end.',
      'Again',
    ]);
  });

  it.each([
    ['Not logged in · Please run /login', null, 'refused', 'run: claude auth login'],
    ['Failed to authenticate. API Error: 401', 401, 'refused', 'run: claude auth login'],
    ["You've hit your session limit · resets 3pm", null, 'unavailable', 'try again later'],
    ['API Error: 529 overloaded', 529, 'unavailable', 'try again later'],
    ['There is an issue with the selected model', 404, 'rejected', expect.stringContaining('sonnet')],
    ['Something else', null, 'unavailable', 'try again later'],
  ])('is an error that says what to do: %s', (result, status, code, hint) => {
    const { failures, answers } = read({ type: 'result', is_error: true, result, api_error_status: status });
    expect(answers).toEqual([]);
    expect(failures).toMatchObject([{ code, hint, message: expect.stringContaining(result) }]);
  });
});
