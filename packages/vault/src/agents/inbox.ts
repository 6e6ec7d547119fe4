import type { Reason } from '../contract/index.ts';
import type { Changes } from '../changes/index.ts';
import type { ProposalStore } from './tidy/proposal-store.ts';
import { isTidyItem } from './tidy/tidy-item.ts';
import { childPath, extractBody, reviewName, formatFolderPath } from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';

/** An item that waits for the user: a question of the update agent, or a change that needs approval. */
export type InboxItem = Question | HeldChange;

type Question = {
  kind: 'question';
  item: string;
  path: string;
  review: string;
  /** The numbers of the proposals in it that can be answered with yes or no; empty for any other question. */
  proposals: number[];
};

type HeldChange = {
  kind: 'held';
  id: string;
  at: number;
  summary: string;
  /** Null if the change was held by a version that did not store reasons. */
  reason: Reason | null;
  paths: VaultPath[];
  /** Number of removed lines per file, for files that lose lines. */
  removes: { path: VaultPath; lines: number }[];
};

const maxHeldChanges = 100;

/** `proposalsOf` returns the stored proposals of an item. */
export async function listInbox(
  view: VaultView,
  changes: Pick<Changes, 'list'>,
  proposalsOf: ProposalStore['list'],
): Promise<InboxItem[]> {
  const questions: InboxItem[] = [];
  const { inboxPath, listOpenItems } = view.layout();
  const items = listOpenItems(await view.contents(inboxPath));
  for (const [item, { path }] of items.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    questions.push({
      kind: 'question',
      item,
      path: formatFolderPath(path),
      review: await reviewIn(view, path),
      proposals: isTidyItem(item)
        ? proposalsOf(item).flatMap(({ number, answer }) => (answer === null ? [number] : []))
        : [],
    });
  const held = changes.list({ state: 'held', limit: maxHeldChanges });
  return [
    ...questions,
    ...held.map(({ id, at, summary, paths, files, heldBecause: reason }) => ({
      kind: 'held' as const,
      id,
      at,
      summary,
      reason,
      paths,
      removes: files.flatMap(({ path, removed }) => (removed ? [{ path, lines: removed }] : [])),
    })),
  ];
}

/** The number of items, without reading them. */
export async function countInbox(view: VaultView, changes: Pick<Changes, 'list'>): Promise<number> {
  const held = changes.list({ state: 'held', limit: maxHeldChanges });
  const { inboxPath, listOpenItems } = view.layout();
  return listOpenItems(await view.contents(inboxPath)).length + held.length;
}

async function reviewIn(view: VaultView, item: VaultPath): Promise<string> {
  const read = await view.read(childPath(item, reviewName));
  const text = read.kind === 'file' ? read.bytes.toString() : '';
  return extractBody(text).trim();
}
