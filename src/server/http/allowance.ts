import { inTurn } from '../../contract/index.ts';
import type { Clock } from '../../contract/index.ts';
import type { Limits } from './limits.ts';

/** What each caller may still do. */
export type Allowance = {
  /** Begins a request; or the seconds to wait before trying again. */
  begin(caller: string): Begun | { wait: number };
};

type Begun = {
  /** Does the work of this request when it is its turn among those of its caller. */
  work<Value>(work: () => Promise<Value>): Promise<Value>;
  /** The answer that is being sent: it counts until it is, or its reader is gone. */
  sending(answer: Unsent): void;
  end(): void;
};

/** An answer on its way, and how many bytes of it wait to be read. */
type Unsent = { readonly writableLength: number };

type Account = {
  left: number;
  at: number;
  working: number;
  inTurn: ReturnType<typeof inTurn>;
  unsent: Set<Unsent>;
};

/** Old accounts of callers that are gone are not kept. */
const mostAccounts = 10_000;

export function createAllowance(
  limits: Pick<Limits, 'burst' | 'perSecond' | 'concurrent' | 'atOnce' | 'unsent'>,
  clock: Clock,
): Allowance {
  const { burst, perSecond, concurrent, atOnce, unsent } = limits;
  const accounts = new Map<string, Account>();
  const accountOf = (caller: string): Account => {
    const account = accounts.get(caller) ?? {
      left: burst,
      at: clock(),
      working: 0,
      inTurn: inTurn(atOnce),
      unsent: new Set(),
    };
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
      let answer: Unsent | null = null;
      return {
        work: (work) =>
          account.inTurn(() => {
            // Whoever does not read what was answered gets no more of it to hold for them.
            const held = account.unsent.values().reduce((sum, each) => sum + each.writableLength, 0);
            if (held > unsent) throw new TooMuchUnread();
            return work();
          }),
        sending(sent) {
          answer = sent;
          account.unsent.add(sent);
        },
        end() {
          account.working -= 1;
          if (answer !== null) account.unsent.delete(answer);
        },
      };
    },
  };
}

/** The answers that a caller has not read are too many. */
export class TooMuchUnread extends Error {
  override readonly name = 'TooMuchUnread';
}
