import { describe, expect, it } from 'vitest';
import { createCodexEventReader } from './codex-events.ts';
import type { CodexNotification } from './codex-events.ts';
import type { ModelError } from './error.ts';
import type { ProgramAnswer } from './program-chat.ts';

function read(...notifications: CodexNotification[]) {
  const answers: ProgramAnswer[] = [];
  const failures: ModelError[] = [];
  const texts: string[] = [];
  const reader = createCodexEventReader(
    { baseUrl: '/usr/bin/codex', model: 'm' },
    {
      onAnswer: (answer) => void answers.push(answer),
      onFailure: (error) => void failures.push(error),
      onText: (text) => void texts.push(text),
      onActivity: () => undefined,
    },
  );
  for (const notification of notifications) reader(notification);
  return { answers, failures, texts };
}

const item = (raw: object): CodexNotification => ({
  method: 'rawResponseItem/completed',
  params: { item: raw },
});
const said = item({
  type: 'message',
  role: 'assistant',
  content: [{ type: 'output_text', text: 'Looking.' }],
});
const call = (id: string, written: string): CodexNotification =>
  item({ type: 'function_call', call_id: id, name: 'read', arguments: written });
const completed: CodexNotification = {
  method: 'rawResponse/completed',
  params: { usage: { inputTokens: 100, cachedInputTokens: 60, cacheWriteInputTokens: 5, outputTokens: 7 } },
};
const usage = { input: 100, cached: 60, written: 5, output: 7 };
const ended = (error: object): CodexNotification => ({
  method: 'turn/completed',
  params: { turn: { status: 'failed', error } },
});

describe('the notifications of Codex', () => {
  it('are an answer with all calls when the response is complete, and not before', () => {
    const user = item({ type: 'message', role: 'user', content: [{ type: 'input_text', text: 'Read.' }] });
    const events = [user, said, call('a', '{"paths":"a.md"}'), call('b', '{"paths":')];
    expect(read(...events).answers).toEqual([]);
    expect(read(...events, completed).answers).toEqual([
      {
        text: 'Looking.',
        calls: [
          { id: 'a', toolName: 'read', input: { paths: 'a.md' }, isInvalid: false },
          { id: 'b', toolName: 'read', input: '{"paths":', isInvalid: true },
        ],
        usage,
      },
    ]);
  });

  it('report the calls to tools of Codex itself, so that a run is limited', () => {
    const own = item({ type: 'custom_tool_call', call_id: 'a', name: 'apply_patch', arguments: undefined });
    expect(read(own, completed).answers).toMatchObject([{ calls: [{ id: 'a', toolName: 'apply_patch' }] }]);
  });

  it('are an answer without calls when the turn is over', () => {
    expect(read(said, completed).answers).toEqual([]);
    const over = { method: 'turn/completed', params: { turn: { status: 'completed' } } };
    expect(read(said, completed, over).answers).toEqual([{ text: 'Looking.', calls: [], usage }]);
  });

  it('show the text while it is written', () => {
    const delta = (text: string) => ({ method: 'item/agentMessage/delta', params: { delta: text } });
    expect(read(delta('The '), delta('end.')).texts).toEqual(['The ', 'The end.']);
  });

  it.each([
    ['unauthorized', 'refused', 'run: codex login'],
    [{ responseStreamConnectionFailed: { httpStatusCode: 401 } }, 'refused', 'run: codex login'],
    ['usageLimitExceeded', 'unavailable', 'try again later'],
    [{ httpConnectionFailed: { httpStatusCode: 503 } }, 'unavailable', 'try again later'],
    ['modelNotFound', 'rejected', expect.stringContaining('m')],
    ['somethingNew', 'unavailable', 'try again later'],
  ])('are an error that says what to do: %j', (codexErrorInfo, code, hint) => {
    const { failures, answers } = read(ended({ message: 'It failed.', codexErrorInfo }));
    expect(answers).toEqual([]);
    expect(failures).toMatchObject([{ code, hint, message: expect.stringContaining('It failed.') }]);
  });
});
