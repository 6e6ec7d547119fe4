import type { InboxChoice, Reason } from '../contract/index.ts';
import type { Changes } from '../changes/index.ts';
import type { ProposalStore } from './tidy/proposal-store.ts';
import { isTidyItem } from './tidy/tidy-item.ts';
import { readConflictVersions } from './conflict-versions.ts';
import { secretItemLabel } from './update/secret-question.ts';
import { childPath, extractBody, reviewName, formatFolderPath, formatPath } from '../vault/index.ts';
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
  /** The answers that need no model. */
  choices: InboxChoice[];
  /** The two versions of a conflict; null for any other question. */
  versions: { note: string; mine: string; theirs: string } | null;
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
  changes: Pick<Changes, 'list' | 'fileVersions'>,
  proposalsOf: ProposalStore['list'],
): Promise<InboxItem[]> {
  const questions: InboxItem[] = [];
  const { inboxPath, listOpenItems } = view.layout();
  const items = listOpenItems(await view.contents(inboxPath));
  for (const [item, { path }] of items.toSorted(([a], [b]) => (a < b ? -1 : 1))) {
    const review = await reviewIn(view, path);
    const conflict = await readConflictVersions(review, view, changes.fileVersions);
    const isPlain = secretItemLabel(item) !== null || isTidyItem(item);
    questions.push({
      kind: 'question',
      item,
      path: formatFolderPath(path),
      review: extractBody(review).trim(),
      choices: conflict !== null ? ['mine', 'theirs', 'both'] : isPlain ? [] : ['note', 'drop'],
      versions: conflict && {
        note: formatPath(conflict.note),
        mine: shorten(conflict.mine),
        theirs: shorten(conflict.theirs),
      },
      proposals: isTidyItem(item)
        ? proposalsOf(item).flatMap(({ number, answer }) => (answer === null ? [number] : []))
        : [],
    });
  }
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
  return read.kind === 'file' ? read.bytes.toString() : '';
}

const maxShownCharacters = 20_000;

function shorten(text: string): string {
  return text.length > maxShownCharacters ? `${text.slice(0, maxShownCharacters)}…` : text;
}
