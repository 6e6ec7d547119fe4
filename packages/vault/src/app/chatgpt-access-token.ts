import type { Clock } from '../contract/index.ts';
import { ModelError, refreshChatGptTokens, signInEndedError } from '../models/index.ts';
import type { AccessTokenSource, ChatGptTokens } from '../models/index.ts';
import { changeChatGptAccount, readChatGptAccount, requireChatGpt } from './chatgpt-account.ts';
import type { ChatGptAccount } from './chatgpt-account.ts';
import type { Environment } from './environment.ts';

/** How long before its end a token is renewed, so that it does not end on the way. */
const refreshMarginMs = 60_000;

/** The access token of the account that is signed in, renewed when it is about to expire. */
export function createChatGptTokenSource(
  environment: Environment,
  clock: Clock = Date.now,
): AccessTokenSource {
  const endpoints = requireChatGpt(environment);
  const findUsable = ({ tokens }: ChatGptAccount, rejected: string | undefined): string | null => {
    if (tokens === null) throw signInEndedError();
    const { accessToken } = tokens;
    return accessToken === rejected || isDue(tokens, clock()) ? null : accessToken;
  };
  return async (rejected) =>
    findUsable(readChatGptAccount(environment), rejected) ??
    changeChatGptAccount(environment, async (account, save) => {
      // Another process may have renewed it while this one waited for the lock.
      const usable = findUsable(account, rejected);
      const { tokens, registration } = account;
      if (usable !== null) return usable;
      if (tokens === null || registration === null || !mayRefresh(tokens, clock())) throw signInEndedError();
      try {
        const renewed = await refreshChatGptTokens(endpoints, registration.clientId, tokens.refreshToken);
        save({ ...account, tokens: renewed });
        return renewed.accessToken;
      } catch (error) {
        if (error instanceof ModelError && error.code === 'refused') save({ ...account, tokens: null });
        throw error;
      }
    });
}

function isDue(tokens: ChatGptTokens, now: number): boolean {
  return now >= tokens.expiresAt - refreshMarginMs && mayRefresh(tokens, now);
}

function mayRefresh({ earliestRefreshAt }: ChatGptTokens, now: number): boolean {
  return earliestRefreshAt === null || now >= earliestRefreshAt;
}
