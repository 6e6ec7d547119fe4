import { hash } from 'node:crypto';
import { redactSecrets } from '../secrets/index.ts';
import type { HookEvent } from './event.ts';
import { readPrefix, readSuffix } from './read-prefix.ts';

/** One recorded event of a session: a prompt, an answer, a summary or the end. */
export type SessionEvent = {
  v: 1;
  client: HookEvent['client'];
  event: 'prompt' | 'turn' | 'post-compact' | 'session-end';
  session: string;
  /** 32 hexadecimal digits. If the client assigns ids, an event that it reports again gets the same key. */
  key: string;
  /** When the client called the hook, in epoch milliseconds. */
  at: number;
  vault: string;
  folder: string;
  remote: string | null;
  /** The main work tree of its repository; absent in events of earlier versions. */
  repository?: string | null;
  project: string | null;
  /** The checked-out git branch; absent in events of earlier versions. */
  branch?: string | null;
  /** The client's title of the session, known at its end. */
  title?: string;
  text: string;
  /** The number of redacted secrets and of truncated characters. */
  secrets: number;
  cut: number;
};

export type SessionScope = Pick<SessionEvent, 'vault' | 'remote' | 'repository' | 'project' | 'branch'>;

/** Of a long text both ends are kept: what is decided is often said last. */
const maxLength = { start: 2_000, end: 1_000, summary: 8_000, title: 200 };

/**
 * Null for events that are not recorded: those of a subagent or a program, slash commands, and empty texts. Throws if
 * the prompt is not a string.
 */
export function toSessionEvent(
  event: SessionEvent['event'],
  { client, session, folder, payload }: HookEvent,
  place: SessionScope,
  at: number,
): SessionEvent | null {
  const text = payload['agent_id'] == null ? extractText(event, payload) : null;
  if (text === null) return null;
  const { text: clean, count } = redactSecrets(text);
  const short = truncateText(event, clean);
  const title = event === 'session-end' ? readSessionTitle(payload['transcript_path']) : null;
  const id = [payload['prompt_id'], payload['turn_id']].find((each) => typeof each === 'string');
  return {
    v: 1,
    client,
    event,
    session,
    key: deriveEventKey({ client, session, event, text: clean, at }, id),
    at,
    ...place,
    folder,
    ...(title !== null && { title }),
    text: short,
    secrets: count,
    cut: clean.length - short.length,
  };
}

/**
 * Events with the same key count as one event. Without an id from the client, a repeated prompt cannot be distinguished
 * from a repeated call, so each process records its own event. With an id, all different prompts of a turn are kept,
 * but only the last answer. A session ends only once for each reason.
 */
function deriveEventKey(
  { client, session, event, text, at }: Pick<SessionEvent, 'client' | 'session' | 'event' | 'text' | 'at'>,
  id: string | undefined,
): string {
  const keyedText = event === 'turn' || event === 'post-compact' ? '' : text;
  const identity = id === undefined && event !== 'session-end' ? [at, process.pid] : [id, keyedText];
  return hash('sha256', [client, session, event, ...identity].join('\0')).slice(0, 32);
}

function extractText(event: SessionEvent['event'], payload: HookEvent['payload']): string | null {
  const textAt = (...keys: string[]): string => {
    const found = keys.map((key) => payload[key]).find((value) => typeof value === 'string');
    return typeof found === 'string' ? found.trim() : '';
  };
  if (event === 'session-end') return textAt('reason');
  if (event === 'turn') return textAt('last_assistant_message', 'prompt_response', 'text') || null;
  if (event === 'post-compact') return textAt('compact_summary') || null;
  const isFromUser =
    payload['source'] === undefined || payload['source'] === 'user' || payload['source'] === 'sdk';
  if (!isFromUser) return null;
  if (typeof payload['prompt'] !== 'string')
    throw new TypeError('the prompt sent by the client is not a string');
  const text = textAt('prompt');
  return text === '' || text.startsWith('/') ? null : text;
}

function truncateText(event: SessionEvent['event'], text: string): string {
  if (event === 'post-compact') {
    const worth = /^#{1,6} *\**Worth remembering\**:?\s*$([\s\S]*?)(?=^#{1,6} |$(?![\s\S]))/im
      .exec(text)?.[1]
      ?.trim();
    return (worth || text).slice(0, maxLength.summary);
  }
  if (text.length <= maxLength.start + maxLength.end) return text;
  return `${text.slice(0, maxLength.start)}\n[…]\n${text.slice(-maxLength.end)}`;
}

/** Whether a user is present in the session. Codex says so in the first line of its transcript. */
export function isAttended({ client, payload }: HookEvent, variables: NodeJS.ProcessEnv): boolean {
  if (client === 'claude-code') return variables['CLAUDE_CODE_SESSION_ATTENDED'] !== '0';
  if (client !== 'codex') return true;
  const record = payload['transcript_path'];
  return typeof record !== 'string' || !/"source": *"exec"/.test(readFileStart(record));
}

function readFileStart(file: string): string {
  try {
    return readPrefix(file, 4_096);
  } catch {
    return '';
  }
}

const maxTitleScanBytes = 256 * 1024;

/** The title in a transcript of Claude Code: the one that the user chose, otherwise the last generated one. */
function readSessionTitle(transcript: unknown): string | null {
  if (typeof transcript !== 'string') return null;
  let generated: string | null = null;
  let chosen: string | null = null;
  for (const line of readFileEnd(transcript).split('\n')) {
    if (!/"type": *"(?:ai|custom)-title"/.test(line)) continue;
    const { aiTitle, customTitle } = parseLine(line);
    if (typeof aiTitle === 'string') generated = aiTitle;
    if (typeof customTitle === 'string') chosen = customTitle;
  }
  return cleanTitle(chosen ?? generated);
}

/** A title in one line without secrets; null if nothing is left. */
export function cleanTitle(text: string | null): string | null {
  if (text === null) return null;
  const title = redactSecrets(text).text.replaceAll(/\s+/g, ' ').trim();
  return title === '' ? null : title.slice(0, maxLength.title);
}

function parseLine(line: string): Record<string, unknown> {
  try {
    return (JSON.parse(line) ?? {}) as Record<string, unknown>;
  } catch {
    return {};
  }
}

function readFileEnd(file: string): string {
  try {
    return readSuffix(file, maxTitleScanBytes);
  } catch {
    return '';
  }
}
