import { hash } from 'node:crypto';
import { closeSync, openSync, readSync } from 'node:fs';
import type { HookEvent } from './event.ts';
import { removeSecrets } from './remove-secrets.ts';

/** What was said, or happened, at one moment of a session. */
export type Part = {
  v: 1;
  client: HookEvent['client'];
  event: 'prompt' | 'turn' | 'post-compact' | 'session-end';
  session: string;
  /** 32 hexadecimal digits. A part that a client with ids reports again has the same key. */
  key: string;
  /** When the client called the hook, in milliseconds. */
  at: number;
  vault: string;
  folder: string;
  remote: string | null;
  project: string | null;
  text: string;
  /** How many secrets were taken out, and how many characters. */
  secrets: number;
  cut: number;
};

export type PartPlace = Pick<Part, 'vault' | 'remote' | 'project'>;

const longest = { prompt: 2_000, answer: 2_000, answerEnd: 1_000, summary: 8_000 };

/** Null for what is not recorded: what a subagent or a program says, a command, nothing at all. Throws where there is no prompt to read. */
export function partOf(
  event: Part['event'],
  { client, session, folder, said }: HookEvent,
  place: PartPlace,
  at: number,
): Part | null {
  const text = said['agent_id'] == null ? wordsOf(event, said) : null;
  if (text === null) return null;
  const { text: clean, count } = removeSecrets(text);
  const short = shortened(event, clean);
  const id = [said['prompt_id'], said['turn_id']].find((each) => typeof each === 'string');
  return {
    v: 1,
    client,
    event,
    session,
    key: keyOf({ client, session, event, text: clean, at }, id),
    at,
    ...place,
    folder,
    text: short,
    secrets: count,
    cut: clean.length - short.length,
  };
}

/**
 * Without an id, a prompt that says the same as an earlier one cannot be told from a repeated call: each process records a part of its
 * own. With one, two prompts of the same turn are kept, and of its answers the last. A session ends once for each reason.
 */
function keyOf(
  { client, session, event, text, at }: Pick<Part, 'client' | 'session' | 'event' | 'text' | 'at'>,
  id: string | undefined,
): string {
  const words = event === 'turn' || event === 'post-compact' ? '' : text;
  const named = id === undefined && event !== 'session-end' ? [at, process.pid] : [id, words];
  return hash('sha256', [client, session, event, ...named].join('\0')).slice(0, 32);
}

function wordsOf(event: Part['event'], said: HookEvent['said']): string | null {
  const textAt = (...keys: string[]): string => {
    const found = keys.map((key) => said[key]).find((value) => typeof value === 'string');
    return typeof found === 'string' ? found.trim() : '';
  };
  if (event === 'session-end') return textAt('reason');
  if (event === 'turn') return textAt('last_assistant_message', 'prompt_response', 'text') || null;
  if (event === 'post-compact') return textAt('compact_summary') || null;
  const isPersons = said['source'] === undefined || said['source'] === 'user' || said['source'] === 'sdk';
  if (!isPersons) return null;
  if (typeof said['prompt'] !== 'string') throw new TypeError('the client sent no text as prompt');
  const text = textAt('prompt');
  return text === '' || text.startsWith('/') ? null : text;
}

function shortened(event: Part['event'], text: string): string {
  if (event === 'post-compact') {
    const worth = /^#{1,6} *\**Worth remembering\**:?\s*$([\s\S]*?)(?=^#{1,6} |$(?![\s\S]))/im
      .exec(text)?.[1]
      ?.trim();
    return (worth || text).slice(0, longest.summary);
  }
  if (event === 'prompt') return text.slice(0, longest.prompt);
  if (text.length <= longest.answer + longest.answerEnd) return text;
  return `${text.slice(0, longest.answer)}\n[…]\n${text.slice(-longest.answerEnd)}`;
}

/** Whether somebody sits at a session. Codex tells in the first line of its own record. */
export function isAttended({ client, said }: HookEvent, variables: NodeJS.ProcessEnv): boolean {
  if (client === 'claude-code') return variables['CLAUDE_CODE_SESSION_ATTENDED'] !== '0';
  if (client !== 'codex') return true;
  const record = said['transcript_path'];
  return typeof record !== 'string' || !/"source": *"exec"/.test(beginningOf(record));
}

function beginningOf(file: string): string {
  try {
    const bytes = Buffer.alloc(4_096);
    const handle = openSync(file, 'r');
    try {
      return bytes.toString('utf8', 0, readSync(handle, bytes));
    } finally {
      closeSync(handle);
    }
  } catch {
    return '';
  }
}
