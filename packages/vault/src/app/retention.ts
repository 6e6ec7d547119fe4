import { z } from 'zod';
import type { Changes } from '../changes/index.ts';
import type { Clock } from '../contract/index.ts';
import type { UpdateQueue } from '../queue/index.ts';
import type { VaultView } from '../vault/index.ts';
import { compactDurable } from './databases.ts';
import { startOfPeriod } from './retention-settings.ts';
import type { RetentionSettings } from './retention-settings.ts';
import type { State } from './state.ts';

type Dependencies = {
  changes: Pick<Changes, 'find' | 'expire'>;
  queue: () => UpdateQueue;
  state: Pick<State, 'hasDurable' | 'databases'>;
  view: VaultView;
  clock: Clock;
};

/** Numbers of deleted changes and updates. */
export type RetentionResult = { changes: number; updates: number };

/**
 * Deletes changes and updates that are older than their period, and makes sure that no copy of them is left in the
 * databases. Can be interrupted at any point: the next call does the rest.
 */
export async function applyRetention(
  { history, queue: queuePeriod }: RetentionSettings,
  { changes, queue, state, view, clock }: Dependencies,
): Promise<RetentionResult> {
  const done = { changes: 0, updates: 0 };
  if ((history === undefined && queuePeriod === undefined) || !state.hasDurable()) return done;
  // Updates first: whether a held update was decided is read from its change.
  if (queuePeriod !== undefined) {
    const before = startOfPeriod(queuePeriod, clock());
    const { inboxPath, listOpenItems } = view.layout();
    const openItems = new Set(listOpenItems(await view.contents(inboxPath)).map(([item]) => item));
    done.updates = queue().expire(before, ({ id, result }) => {
      const entry = changes.find(id)?.entry;
      const { asked } = storedQuestion.parse(result ?? {});
      return entry?.state === 'held' || (entry?.at ?? 0) >= before || (asked != null && openItems.has(asked));
    });
  }
  if (history !== undefined)
    done.changes = await changes.expire(startOfPeriod(history, clock()), new Set(queue().unfinishedIds()));
  compactDurable(state.databases().durable);
  return done;
}

const storedQuestion = z.object({ asked: z.string().nullish() });
