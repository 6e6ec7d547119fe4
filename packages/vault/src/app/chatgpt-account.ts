import { randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { z } from 'zod';
import type { ChatGptEndpoints } from '../models/index.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';
import { loadPrivateFile } from './private-file.ts';
import { withProcessLock } from './process-lock.ts';
import { replaceFile } from './replace-file.ts';

const accountSchema = z.object({
  version: z.literal(1),
  /** Identifies this installation to ChatGPT; created once. */
  hostId: z.string(),
  /** Null before the first sign-in. Kept after a sign-out, for the next sign-in. */
  registration: z.object({ clientId: z.string(), subject: z.string() }).nullable(),
  email: z.string().nullable(),
  /** Null when signed out. Times are in milliseconds since the epoch. */
  tokens: z
    .object({
      accessToken: z.string(),
      refreshToken: z.string(),
      expiresAt: z.number(),
      earliestRefreshAt: z.number().nullable(),
    })
    .nullable(),
});

export type ChatGptAccount = z.infer<typeof accountSchema>;

type ChatGptStatus =
  /** This process works for other people, and must not use the plan of one of them. */
  | { state: 'unavailable' }
  | { state: 'unreadable'; problem: AppError }
  | { state: 'signed-out' }
  | { state: 'signed-in'; email: string | null };

/** Whether agents can use a ChatGPT plan. Sends nothing: the sign-in may have been revoked elsewhere. */
export function chatGptStatus(environment: Environment): ChatGptStatus {
  if (environment.servesOthers) return { state: 'unavailable' };
  const account = loadChatGptAccount(environment);
  if ('problem' in account) return { state: 'unreadable', problem: account.problem };
  const { tokens, email } = account;
  return tokens === null ? { state: 'signed-out' } : { state: 'signed-in', email };
}

/** The stored account; a new one, which is not stored yet, if there is none. */
export function readChatGptAccount(environment: Environment): ChatGptAccount {
  const account = loadChatGptAccount(environment);
  if ('problem' in account) throw account.problem;
  return account;
}

function loadChatGptAccount(environment: Environment): ChatGptAccount | { problem: AppError } {
  const file = accountFile(environment);
  const loaded = loadPrivateFile(file);
  if ('problem' in loaded) return loaded;
  const { text } = loaded;
  if (text === undefined)
    return { version: 1, hostId: `urn:uuid:${randomUUID()}`, registration: null, email: null, tokens: null };
  const parsed = accountSchema.safeParse(parseJson(text));
  if (parsed.success) return parsed.data;
  const problem = new AppError('bad-configuration', `${file} is damaged or was written by a newer version`, {
    hint: 'update Keepsake; if it is up to date, delete the file and run: keepsake config login chatgpt',
  });
  return { problem };
}

/**
 * Runs `change` while no other process changes the account. Changes are stored with `save`, which replaces the file
 * atomically: a crash leaves the old or the new tokens.
 */
export async function changeChatGptAccount<Value>(
  environment: Environment,
  change: (account: ChatGptAccount, save: (changed: ChatGptAccount) => void) => Promise<Value>,
): Promise<Value> {
  const file = accountFile(environment);
  mkdirSync(dirname(file), { recursive: true, mode: 0o700 });
  return withProcessLock(`${file}.lock`, () =>
    change(readChatGptAccount(environment), (changed) =>
      replaceFile(file, `${JSON.stringify(changed, null, 2)}\n`),
    ),
  );
}

export function requireChatGpt({ chatGpt, servesOthers }: Environment): ChatGptEndpoints {
  if (!servesOthers) return chatGpt;
  throw new AppError('bad-input', 'a server for other people cannot use the ChatGPT plan of one person', {
    hint: 'use an API key',
  });
}

function accountFile({ configFile }: Environment): string {
  return join(dirname(configFile), 'keys', 'chatgpt.json');
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
