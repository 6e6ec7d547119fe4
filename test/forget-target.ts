import type { Keepsake } from '../packages/vault/src/app/index.ts';
import type { ForgetReceipt, ForgetTarget } from '../packages/vault/src/contract/index.ts';

/** Forgets what a plan shows. */
export async function forgetTarget(
  { forget }: Pick<Keepsake, 'forget'>,
  target: ForgetTarget,
): Promise<ForgetReceipt> {
  const { shown } = await forget.plan(target);
  return forget.run(target, shown);
}

export function forgetWords(keepsake: Pick<Keepsake, 'forget'>, ...words: string[]): Promise<ForgetReceipt> {
  return forgetTarget(keepsake, { kind: 'words', words });
}
