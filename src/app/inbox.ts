import { childPath, findFrontmatter, rootPath, showFolder } from '../vault/index.ts';
import type { FolderEntry, VaultPath, VaultView } from '../vault/index.ts';
import type { Changes } from './changes.ts';

/** Something that waits for the person: a question of the update agent, or a change that needs approval. */
export type Waiting =
  | { kind: 'question'; item: string; path: string; review: string }
  | { kind: 'held'; id: string; at: number; summary: string; paths: VaultPath[] };

const inbox = childPath(rootPath, 'inbox');
const reviewName = 'review.md';

export async function listInbox(view: VaultView, changes: Changes): Promise<Waiting[]> {
  const folders =
    (await view.contents(inbox)).folders.get('inbox')?.folders ?? new Map<string, FolderEntry>();
  const questions: Waiting[] = [];
  for (const [item, { path, files }] of [...folders].toSorted(([a], [b]) => (a < b ? -1 : 1)))
    if (files.has(reviewName))
      questions.push({ kind: 'question', item, path: showFolder(path), review: await reviewIn(view, path) });
  const held = changes.list({ isHeld: true, limit: 100 });
  return [
    ...questions,
    ...held.map(({ id, at, summary, paths }) => ({ kind: 'held' as const, id, at, summary, paths })),
  ];
}

function reviewIn(view: VaultView, item: VaultPath): Promise<string> {
  return view.look(childPath(item, reviewName), async (viewed) => {
    if (viewed.kind !== 'file') return '';
    const text = (await viewed.source.read(0, viewed.source.size)).toString();
    return text.slice(findFrontmatter(text)?.bodyStart ?? 0).trim();
  });
}
