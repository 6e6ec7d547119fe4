import type { Reason } from '../contract/index.ts';
import type { Changes } from '../changes/index.ts';
import { childPath, bodyOf, inboxPath, openItems, reviewName, showFolder } from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';

/** Something that waits for the person: a question of the update agent, or a change that needs approval. */
export type InboxEntry = { kind: 'question'; item: string; path: string; review: string } | Held;

type Held = {
  kind: 'held';
  id: string;
  at: number;
  summary: string;
  /** Null for one that was held before reasons were kept. */
  reason: Reason | null;
  paths: VaultPath[];
  /** Lines that it takes away, where files lose some. */
  removes: { path: VaultPath; lines: number }[];
};

const mostHeld = 100;

export async function listInbox(view: VaultView, changes: Pick<Changes, 'list'>): Promise<InboxEntry[]> {
  const questions: InboxEntry[] = [];
  const items = openItems(await view.contents(inboxPath));
  for (const [item, { path }] of items.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    questions.push({ kind: 'question', item, path: showFolder(path), review: await reviewIn(view, path) });
  const held = changes.list({ state: 'held', limit: mostHeld });
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

/** How many there are, without reading them. */
export async function countInbox(view: VaultView, changes: Pick<Changes, 'list'>): Promise<number> {
  const held = changes.list({ state: 'held', limit: mostHeld });
  return openItems(await view.contents(inboxPath)).length + held.length;
}

async function reviewIn(view: VaultView, item: VaultPath): Promise<string> {
  const read = await view.read(childPath(item, reviewName));
  const text = read.kind === 'file' ? read.bytes.toString() : '';
  return bodyOf(text).trim();
}
