import { randomBytes } from 'node:crypto';
import { describeError } from '../contract/index.ts';
import {
  ModelError,
  openLoopbackCallback,
  revokeChatGptToken,
  signInEndedError,
  startChatGptSignIn,
} from '../models/index.ts';
import type { ChatGptEndpoints, ChatGptGrant } from '../models/index.ts';
import { changeChatGptAccount, requireChatGpt } from './chatgpt-account.ts';
import type { ChatGptAccount } from './chatgpt-account.ts';
import type { Environment } from './environment.ts';
import { AppError } from './error.ts';

const signInTimeoutMs = 5 * 60_000;

type SignInOptions = {
  /** Shows the user the link to the sign-in page. */
  onLink: (link: string) => void;
  signal: AbortSignal;
  /** Whether to register Keepsake again, for example for another account. */
  isNew?: boolean | undefined;
  timeoutMs?: number;
};

/**
 * Signs in with ChatGPT in the browser of this machine and stores the tokens. Nothing changes if it fails. Returns the
 * address of the account; null if ChatGPT did not name it.
 */
export async function signInToChatGpt(
  environment: Environment,
  options: SignInOptions,
): Promise<string | null> {
  const endpoints = requireChatGpt(environment);
  const { hostId, registration } = await prepareAccount(environment, options.isNew === true);
  const page = pages[environment.language];
  const state = randomBytes(32).toString('base64url');
  const callback = await openLoopbackCallback(state, page.unknown);
  try {
    const clientId = registration?.clientId ?? null;
    const { redirectUri } = callback;
    const attempt = await startChatGptSignIn(endpoints, { hostId, clientId }, { redirectUri, state });
    options.onLink(attempt.url);
    const timeout = AbortSignal.timeout(options.timeoutMs ?? signInTimeoutMs);
    const received = await callback
      .receive(AbortSignal.any([options.signal, timeout]))
      .catch((error: unknown) => {
        throw timeout.aborted && !options.signal.aborted ? timeoutError() : error;
      });
    try {
      const grant = await attempt.redeem(received.url);
      const email = await storeGrant(environment, endpoints, grant);
      received.respond(page.done);
      return email;
    } catch (error) {
      received.respond(page.failed);
      throw error;
    }
  } finally {
    await callback.close();
  }
}

/** Signs out here in any case; `problem` is why the token was not revoked at ChatGPT. */
export type SignOutResult = { wasSignedIn: boolean; problem: string | null };

/** Revokes the tokens and removes them. The registration is kept for the next sign-in. */
export async function signOutOfChatGpt(environment: Environment): Promise<SignOutResult> {
  const endpoints = requireChatGpt(environment);
  return changeChatGptAccount(environment, async (account, save) => {
    const { tokens, registration } = account;
    if (tokens === null) return { wasSignedIn: false, problem: null };
    const problem = await revoke(endpoints, registration?.clientId, tokens.refreshToken);
    save({ ...account, email: null, tokens: null });
    return { wasSignedIn: true, problem };
  });
}

/** Stores the id of this installation before it is used for the first time. */
function prepareAccount(environment: Environment, isNew: boolean): Promise<ChatGptAccount> {
  return changeChatGptAccount(environment, async (account, save) => {
    save(account);
    return isNew ? { ...account, registration: null } : account;
  });
}

async function storeGrant(
  environment: Environment,
  endpoints: ChatGptEndpoints,
  grant: ChatGptGrant,
): Promise<string | null> {
  const { clientId, subject, email, tokens } = grant;
  return changeChatGptAccount(environment, async (account, save) => {
    const { registration } = account;
    if (registration?.clientId === clientId && registration.subject !== subject) {
      await revoke(endpoints, clientId, tokens.refreshToken);
      throw new AppError('bad-input', 'this is not the ChatGPT account that Keepsake is registered for', {
        hint: 'to use another account, run: keepsake config login chatgpt --new',
      });
    }
    if (!grant.allowsPlan) {
      await revoke(endpoints, clientId, tokens.refreshToken);
      throw new ModelError('refused', 'Keepsake may not use this ChatGPT plan', {
        hint: 'run: keepsake config login chatgpt --new, and allow it; or use an API key: keepsake config key openai',
      });
    }
    save({ ...account, registration: { clientId, subject }, email, tokens });
    if (account.tokens !== null && registration !== null && registration.clientId !== clientId)
      await revoke(endpoints, registration.clientId, account.tokens.refreshToken);
    return email;
  });
}

/** Returns why the token was not revoked; null if it was. A token that has ended already counts as revoked. */
async function revoke(
  endpoints: ChatGptEndpoints,
  clientId: string | undefined,
  refreshToken: string,
): Promise<string | null> {
  if (clientId === undefined) return null;
  try {
    await revokeChatGptToken(endpoints, clientId, refreshToken);
    return null;
  } catch (error) {
    if (!(error instanceof ModelError)) throw error;
    return error.reason.code === signInEndedError().reason.code ? null : describeError(error);
  }
}

function timeoutError(): AppError {
  return new AppError('bad-state', 'the browser did not return from ChatGPT within 5 minutes', {
    hint: 'sign in again with: keepsake config login chatgpt; if ChatGPT showed an error, add --new',
  });
}

/** What the browser shows after the sign-in. */
const pages = {
  en: {
    done: 'You are signed in. Keepsake uses your ChatGPT plan now. You can close this page.',
    failed: 'The sign-in did not work. The reason is in the terminal. You can close this page.',
    unknown: 'This page does not belong to a sign-in that is running. Start again in the terminal.',
  },
  fr: {
    done: 'Vous êtes connecté. Keepsake utilise maintenant votre forfait ChatGPT. Vous pouvez fermer cette page.',
    failed: 'La connexion a échoué. La raison est dans le terminal. Vous pouvez fermer cette page.',
    unknown: 'Cette page ne correspond à aucune connexion en cours. Recommencez dans le terminal.',
  },
};
