import type { FindWords } from '../agents/index.ts';
import type { Changes } from '../changes/index.ts';
import { KeepsakeError } from '../contract/index.ts';
import type { ForgetPlan, ForgetReceipt, Forgetting } from '../contract/index.ts';
import type { Updates } from './updates.ts';

type Parts = {
  updates: Pick<Updates, 'find' | 'findForgetRequest'>;
  changes: Pick<Changes, 'approve'>;
  forget: Forgetting;
};

/**
 * Forgets what a held update asks to forget, and marks the update as approved. Returns null if the id is not that of such an
 * update. Only for the user: the words are gone for good.
 */
export async function approveForgetting(
  { updates, changes, forget }: Parts,
  id: string,
): Promise<ForgetReceipt | null> {
  const words = updates.findForgetRequest(id);
  if (words === null) return null;
  const receipts: ForgetReceipt[] = [];
  for (const each of words) {
    const plan = await planWords(forget, each);
    if (plan !== null) receipts.push(await forget.run(plan));
  }
  await changes.approve(updates.find(id)?.id ?? id);
  return mergeReceipts(receipts);
}

/** Finds words in files and history. The other stores also contain the request to forget them. */
export function createFindWords(forget: () => Forgetting): FindWords {
  return async (words) => {
    const plan = await planWords(forget(), words);
    const found = (plan?.places ?? []).filter(({ store }) => store === 'files' || store === 'history');
    const files = found.filter(({ store }) => store === 'files').map(({ name }) => `vault/${name}`);
    return { count: found.length, files };
  };
}

/** Null if the words are too short to be forgotten. */
async function planWords(forget: Forgetting, words: string): Promise<ForgetPlan | null> {
  try {
    return await forget.plan({ kind: 'words', words });
  } catch (error) {
    if (error instanceof KeepsakeError && error.code === 'bad-target') return null;
    throw error;
  }
}

function mergeReceipts(receipts: readonly ForgetReceipt[]): ForgetReceipt {
  const last = receipts.at(-1);
  return {
    places: receipts.flatMap(({ places }) => places),
    remaining: receipts.flatMap(({ remaining }) => remaining),
    unreachable: last?.unreachable ?? [],
    change: last?.change ?? null,
  };
}
