import { inboxItemPath, renderDisputesReview, withConflictRecord } from '../changes/index.ts';
import type { KeptDispute } from '../changes/index.ts';
import { childPath, baseName, originalName, reviewName, formatPath } from '../vault/index.ts';
import type { Language, Layout, VaultPath } from '../vault/index.ts';

const messages: Record<Language, Record<'title' | 'why' | 'inPlace' | 'kept' | 'question', string>> = {
  en: {
    title: '# Two versions of one file',
    why: 'Two machines changed this file in ways that could not be merged. Nothing is lost: one version is in its usual place, the other is here.',
    inPlace: 'In place',
    kept: 'Here',
    question: '**Which version should be kept, or how should they be combined?**',
  },
  fr: {
    title: '# Deux versions d’un fichier',
    why: 'Deux machines ont modifié ce fichier et les modifications n’ont pas pu être fusionnées. Rien n’est perdu : une version est à sa place, l’autre est ici.',
    inPlace: 'À sa place',
    kept: 'Ici',
    question: '**Quelle version faut-il garder, ou comment les combiner ?**',
  },
};

type AlternateVersion = { path: VaultPath; inPlace: VaultPath; bytes: Buffer };

/** `isHidden` says whether a file is hidden from models. */
type Asking = { language: Language; now: number; isHidden: (path: VaultPath) => boolean; layout: Layout };

/** Creates an inbox item with the version that was not kept in the vault, and a question about both versions. */
export function createConflictQuestion(
  { path, inPlace, bytes }: AlternateVersion,
  { language, now, isHidden, layout }: Asking,
): { path: VaultPath; after: Buffer }[] {
  const hidden = isHidden(path) || isHidden(inPlace);
  const key = { note: path, identity: [path, bytes], writtenAt: now, isHidden: hidden };
  const item = inboxItemPath(key, layout);
  const name = baseName(path).toLowerCase() === reviewName ? originalName : baseName(path);
  const kept = childPath(item, name);
  const said = messages[language];
  const places = `- ${said.inPlace}: \`${formatPath(inPlace)}\`\n- ${said.kept}: \`${formatPath(kept)}\``;
  const record = { kind: 'versions' as const, note: formatPath(inPlace), other: formatPath(kept) };
  const question = `${[said.title, said.why, places, said.question].join('\n\n')}\n`;
  const review = withConflictRecord(record, question);
  return [
    { path: childPath(item, reviewName), after: Buffer.from(review) },
    { path: kept, after: bytes },
  ];
}

/** Creates an inbox item that asks about disputed lines. The note contains both versions of them. */
export function askAboutDisputes(
  { path, disputes }: { path: VaultPath; disputes: readonly KeptDispute[] },
  { language, now, isHidden, layout }: Asking,
): { path: VaultPath; after: Buffer } {
  const review = renderDisputesReview(path, disputes, language);
  const key = { note: path, identity: [path, review], writtenAt: now, isHidden: isHidden(path) };
  const item = inboxItemPath(key, layout);
  return { path: childPath(item, reviewName), after: Buffer.from(review) };
}
