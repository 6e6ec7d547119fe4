import type { Clock } from '../../contract/index.ts';
import type { Limits } from './limits.ts';

/** What each caller may still do. */
export type Allowance = {
  /** Begins a request; gives a function that ends it, or the seconds to wait before trying again. */
  begin(caller: string): { end: () => void } | { wait: number };
};

type Account = { left: number; at: number; working: number };

/** Old accounts of callers that are gone are not kept. */
const mostAccounts = 10_000;

export function createAllowance(
  { burst, perSecond, concurrent }: Pick<Limits, 'burst' | 'perSecond' | 'concurrent'>,
  clock: Clock,
): Allowance {
  const accounts = new Map<string, Account>();
  const accountOf = (caller: string): Account => {
    const account = accounts.get(caller) ?? { left: burst, at: clock(), working: 0 };
    if (accounts.size >= mostAccounts)
      for (const [name, { working }] of accounts) if (working === 0) accounts.delete(name);
    accounts.set(caller, account);
    return account;
  };
  return {
    begin(caller) {
      const account = accountOf(caller);
      const now = clock();
      account.left = Math.min(burst, account.left + (Math.max(0, now - account.at) / 1_000) * perSecond);
      account.at = now;
      if (account.working >= concurrent) return { wait: 1 };
      if (account.left < 1) return { wait: Math.max(1, Math.ceil((1 - account.left) / perSecond)) };
      account.left -= 1;
      account.working += 1;
      return { end: () => void (account.working -= 1) };
    },
  };
}
