import type { Changes } from '../changes/index.ts';
import { formatReason } from '../contract/index.ts';
import type { UpdateResult } from '../contract/index.ts';
import { VaultError } from '../vault/index.ts';
import type { Layout } from '../vault/index.ts';

/** The result of an update that was committed before a crash, from the journal; null if it was not. */
export async function findPreviousResult(
  id: string,
  { changes, layout }: { changes: Changes; layout: () => Layout },
): Promise<UpdateResult | null> {
  if (changes.find(id)?.entry.state === 'applying') await changes.writer.recover();
  const found = changes.find(id);
  // A tool call that used this id is not the result of the update.
  if (found?.entry.id !== id || found.callDigest !== null || found.entry.state === 'reverted') return null;
  const { summary, state } = found.entry;
  const { paths } = found;
  // With damaged history, the update is still done; only its question is unknown.
  const changed = await found.changes().catch((error: unknown) => {
    if (error instanceof VaultError && error.code === 'damaged-history') return [];
    throw error;
  });
  const { questionItemName } = layout();
  const questions = changed.flatMap(({ kind, path }) =>
    kind === 'remove' ? [] : (questionItemName(path) ?? []),
  );
  return state === 'applied'
    ? { kind: 'filed', summary, paths, asked: questions[0] ?? null, receipt: null }
    : { kind: 'held', summary, paths, reason: formatReason('undecided', {}), receipt: null };
}
