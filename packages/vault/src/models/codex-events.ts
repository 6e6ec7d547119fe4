import { ModelError } from './error.ts';
import { createEmptyAnswer } from './program-chat.ts';
import type { ProgramAnswer, ProgramEvents } from './program-chat.ts';
import { statusError } from './remote-endpoint.ts';
import type { RemoteEndpoint } from './remote-endpoint.ts';

type Item = {
  type?: string;
  role?: string;
  content?: { type?: string; text?: string }[];
  call_id?: string;
  name?: string;
  arguments?: string;
};

export type CodexNotification = {
  method?: string;
  params?: {
    item?: Item;
    delta?: string;
    usage?: {
      inputTokens?: number;
      cachedInputTokens?: number;
      cacheWriteInputTokens?: number;
      outputTokens?: number;
    } | null;
    turn?: { status?: string; error?: { message?: string; codexErrorInfo?: unknown } | null };
  };
};

/**
 * Turns the notifications of `codex app-server` into answers. A response is complete with `rawResponse/completed`: other
 * notifications come too late, when all its calls have results, or too early, while it is still being written.
 */
export function createCodexEventReader(
  endpoint: RemoteEndpoint,
  events: ProgramEvents,
): (notification: CodexNotification) => void {
  let answer = createEmptyAnswer();
  let shown = '';
  const finish = (): void => {
    events.onAnswer(answer);
    answer = createEmptyAnswer();
    shown = '';
  };
  return ({ method, params = {} }) => {
    events.onActivity();
    const { item, usage, turn, delta = '' } = params;
    switch (method ?? '') {
      case 'item/agentMessage/delta':
        return events.onText((shown += delta));
      case 'rawResponseItem/completed':
        if (item?.type === 'message' && item.role === 'assistant')
          answer.text += (item.content ?? []).map(({ text = '' }) => text).join('');
        if (item?.type === 'function_call') answer.calls.push(toCall(item));
        // A tool of Codex itself, which refuses. Reported like any unknown tool, so that the limits of a run count it.
        if (item?.type === 'custom_tool_call') answer.calls.push(toCall({ ...item, arguments: '{}' }));
        return undefined;
      case 'rawResponse/completed':
        answer.usage.input += usage?.inputTokens ?? 0;
        answer.usage.cached += usage?.cachedInputTokens ?? 0;
        answer.usage.written += usage?.cacheWriteInputTokens ?? 0;
        answer.usage.output += usage?.outputTokens ?? 0;
        return answer.calls.length > 0 ? finish() : undefined;
      case 'turn/completed':
        return turn?.status === 'failed' ? events.onFailure(toCodexError(endpoint, turn.error)) : finish();
      default:
        return undefined;
    }
  };
}

function toCall({
  call_id: id = '',
  name: toolName = '',
  arguments: written = '',
}: Item): ProgramAnswer['calls'][number] {
  try {
    return { id, toolName, input: JSON.parse(written) as unknown, isInvalid: false };
  } catch {
    return { id, toolName, input: written, isInvalid: true };
  }
}

/** HTTP statuses that mean the same as an error code of Codex. */
const statusByCode: Record<string, number> = {
  contextWindowExceeded: 413,
  usageLimitExceeded: 429,
  rateLimitExceeded: 429,
  serverOverloaded: 503,
  internalServerError: 500,
  modelNotFound: 404,
  badRequest: 400,
};

function toCodexError(
  endpoint: RemoteEndpoint,
  error: { message?: string; codexErrorInfo?: unknown } | null | undefined,
): ModelError {
  const { message = 'the turn failed', codexErrorInfo: info } = error ?? {};
  const status = typeof info === 'string' ? statusByCode[info] : findStatus(info);
  if (info === 'unauthorized' || status === 401) return codexNotSignedIn(message);
  if (status !== undefined) return statusError(endpoint, status, message);
  return new ModelError('unavailable', `Codex failed: ${message}`, { hint: 'try again later' });
}

function findStatus(info: unknown): number | undefined {
  if (typeof info !== 'object' || info === null) return undefined;
  const [detail] = Object.values(info) as ({ httpStatusCode?: number | null } | null)[];
  return detail?.httpStatusCode ?? undefined;
}

export function codexNotSignedIn(said = ''): ModelError {
  return new ModelError('refused', `Codex is not signed in${said === '' ? '' : ` (${said})`}`, {
    hint: 'run: codex login',
  });
}
