import { ModelError } from './error.ts';
import { createEmptyAnswer } from './program-chat.ts';
import type { ProgramEvents } from './program-chat.ts';
import { statusError } from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';
import type { Usage } from './run-limits.ts';

/** The prefix that Claude Code gives to the tools of our server. */
export const toolPrefix = 'mcp__vault__';

type ApiUsage = Record<string, number | undefined>;

type ClaudeEvent = {
  type?: string;
  event?: {
    type?: string;
    message?: { usage?: ApiUsage };
    delta?: { type?: string; text?: string };
    usage?: ApiUsage;
  };
  message?: { content?: { type?: string; text?: string; id?: string; name?: string; input?: unknown }[] };
  is_error?: boolean;
  result?: string;
  subtype?: string;
  api_error_status?: number | null;
};

/**
 * Turns the output of Claude Code into answers. An answer with calls is complete when its message ends, because the
 * calls are held; one without calls when Claude Code ends its turn.
 */
export function createClaudeEventReader(
  endpoint: RemoteEndpoint,
  events: ProgramEvents,
): (value: unknown) => void {
  let answer = createEmptyAnswer();
  let shown = '';
  /** The output tokens of the messages before the current one. */
  let earlierOutput = 0;
  const finish = (): void => {
    events.onAnswer(answer);
    answer = createEmptyAnswer();
    earlierOutput = 0;
  };
  return (value) => {
    const { type, event, message, is_error: isError, ...rest } = value as ClaudeEvent;
    events.onActivity();
    switch (type ?? '') {
      case 'stream_event':
        if (event?.type === 'message_start') {
          [answer.text, answer.calls, shown, earlierOutput] = ['', [], '', answer.usage.output];
          answer.usage = addInput(answer.usage, event.message?.usage);
        } else if (event?.type === 'message_delta')
          answer.usage.output = earlierOutput + (event.usage?.['output_tokens'] ?? 0);
        else if (event?.type === 'content_block_delta' && event.delta?.type === 'text_delta')
          events.onText((shown += event.delta.text ?? ''));
        else if (event?.type === 'message_stop' && answer.calls.length > 0) finish();
        return;
      case 'assistant':
        for (const block of message?.content ?? []) {
          if (block.type === 'text') answer.text += block.text ?? '';
          if (block.type === 'tool_use')
            answer.calls.push({
              id: block.id ?? '',
              toolName: (block.name ?? '').replace(toolPrefix, ''),
              input: block.input,
              isInvalid: false,
            });
        }
        return;
      case 'result':
        if (isError === true) events.onFailure(toClaudeError(endpoint, rest));
        else finish();
        return;
      default:
    }
  };
}

function addInput(usage: Usage, added: ApiUsage = {}): Usage {
  const cached = added['cache_read_input_tokens'] ?? 0;
  const written = added['cache_creation_input_tokens'] ?? 0;
  return {
    ...usage,
    input: usage.input + (added['input_tokens'] ?? 0) + cached + written,
    cached: usage.cached + cached,
    written: usage.written + written,
  };
}

const notSignedIn = /not logged in|\/login|invalid api key|authentication_error/i;
const limitReached = /\blimit\b/i;

function toClaudeError(
  endpoint: RemoteEndpoint,
  { result, subtype = '', api_error_status: status }: ClaudeEvent,
): ModelError {
  const said = result === undefined || result === '' ? subtype : result;
  if (status === 401 || notSignedIn.test(said)) return claudeNotSignedIn(said);
  if (status != null) return statusError(endpoint, status, said);
  if (limitReached.test(said)) return statusError(endpoint, 429, said);
  return new ModelError('unavailable', `Claude Code failed: ${said}`, { hint: 'try again later' });
}

export function claudeNotSignedIn(said = ''): ModelError {
  return new ModelError('refused', `Claude Code is not signed in${said === '' ? '' : ` (${said})`}`, {
    hint: 'run: claude auth login',
  });
}
