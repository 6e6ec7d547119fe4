import { inTurn } from '../../contract/index.ts';
import type { Clock } from '../../contract/index.ts';
import type { Limits } from './limits.ts';
import { createTokenBucket } from './token-bucket.ts';
import type { TokenBucket } from './token-bucket.ts';

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
  bucket: TokenBucket;
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
  const { concurrent, atOnce, unsent } = limits;
  const accounts = new Map<string, Account>();
  const accountOf = (caller: string): Account => {
    const account = accounts.get(caller) ?? {
      bucket: createTokenBucket(clock),
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
      if (account.working >= concurrent) return { wait: 1 };
      const isEmpty = account.bucket.take(limits);
      if (isEmpty !== null) return isEmpty;
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
