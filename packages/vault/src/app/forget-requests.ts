import type { FindWords, ForgetProposal } from '../agents/index.ts';
import type { Changes } from '../changes/index.ts';
import { KeepsakeError } from '../contract/index.ts';
import type { ForgetPlan, ForgetReceipt, Forgetting, ForgetTarget } from '../contract/index.ts';
import type { Updates } from './updates.ts';

type Parts = {
  updates: Pick<Updates, 'find' | 'findForgetRequest'>;
  changes: Pick<Changes, 'approve'>;
  forget: Forgetting;
};

/** A held update that asks to forget something. Only for the user: the words are gone for good. */
export type ForgetRequest = {
  plan(): Promise<ForgetPlan>;
  /** Removes what a plan with this code showed, and marks the update as approved. */
  run(shown: string): Promise<ForgetReceipt>;
};

export type ForgetRequests = {
  /** Null if the id is not that of such an update. `wholeSentences` overrides what the update asks. */
  find(id: string, wholeSentences?: boolean): ForgetRequest | null;
};

export function createForgetRequests({ updates, changes, forget }: Parts): ForgetRequests {
  return {
    find(id, wholeSentences) {
      const proposal = updates.findForgetRequest(id);
      if (proposal === null) return null;
      const target = toTarget({ ...proposal, ...(wholeSentences !== undefined && { wholeSentences }) });
      return {
        plan: () => forget.plan(target),
        async run(shown) {
          const receipt = await forget.run(target, shown);
          await changes.approve(updates.find(id)?.id ?? id);
          return receipt;
        },
      };
    },
  };
}

function toTarget({ words, wholeSentences }: ForgetProposal): ForgetTarget {
  return { kind: 'words', words, wholeSentences };
}

/** Finds words in files and history. The other stores also contain the request to forget them. */
export function createFindWords(forget: () => Forgetting): FindWords {
  return async (proposal) => {
    const plan = await planProposal(forget(), proposal);
    const found = (plan?.places ?? []).filter(({ store }) => store === 'files' || store === 'history');
    const files = found.filter(({ store }) => store === 'files').map(({ name }) => `vault/${name}`);
    return { count: found.length, files };
  };
}

/** Null if the words are too short to be forgotten. */
async function planProposal(forget: Forgetting, proposal: ForgetProposal): Promise<ForgetPlan | null> {
  try {
    return await forget.plan(toTarget(proposal));
  } catch (error) {
    if (error instanceof KeepsakeError && error.code === 'bad-target') return null;
    throw error;
  }
}
