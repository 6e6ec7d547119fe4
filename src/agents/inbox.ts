import type { Changes } from '../changes/index.ts';
import { childPath, bodyOf, inboxPath, openItems, reviewName, showFolder } from '../vault/index.ts';
import type { VaultPath, VaultView } from '../vault/index.ts';

/** Something that waits for the person: a question of the update agent, or a change that needs approval. */
export type InboxEntry =
  | { kind: 'question'; item: string; path: string; review: string }
  | { kind: 'held'; id: string; at: number; summary: string; paths: VaultPath[] };

const mostHeld = 100;

export async function listInbox(view: VaultView, changes: Pick<Changes, 'list'>): Promise<InboxEntry[]> {
  const questions: InboxEntry[] = [];
  const items = openItems(await view.contents(inboxPath));
  for (const [item, { path }] of items.toSorted(([a], [b]) => (a < b ? -1 : 1)))
    questions.push({ kind: 'question', item, path: showFolder(path), review: await reviewIn(view, path) });
  const held = changes.list({ state: 'held', limit: mostHeld });
  return [
    ...questions,
    ...held.map(({ id, at, summary, paths }) => ({ kind: 'held' as const, id, at, summary, paths })),
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
