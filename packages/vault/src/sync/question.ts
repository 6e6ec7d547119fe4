import { itemAbout, reviewOfDisputes } from '../changes/index.ts';
import type { Dispute } from '../changes/index.ts';
import { childPath, nameOf, originalName, reviewName, showPath } from '../vault/index.ts';
import type { Language, VaultPath } from '../vault/index.ts';

const words: Record<Language, Record<'title' | 'why' | 'inPlace' | 'kept' | 'question', string>> = {
  en: {
    title: '# Two versions of one file',
    why: 'Two machines changed this file in ways that do not go together. Nothing is lost: one version is in its place, the other lies here.',
    inPlace: 'In its place',
    kept: 'Here',
    question: '**Which of the two should stand, or how do they go together?**',
  },
  fr: {
    title: '# Deux versions d’un fichier',
    why: 'Deux machines ont modifié ce fichier de manières qui ne vont pas ensemble. Rien n’est perdu : une version est à sa place, l’autre est ici.',
    inPlace: 'À sa place',
    kept: 'Ici',
    question: '**Laquelle des deux doit rester, ou comment vont-elles ensemble ?**',
  },
};

type Kept = { path: VaultPath; inPlace: VaultPath; bytes: Buffer };

/** An inbox item with the version that is not in its place, and the question about it. */
export function askAbout(
  { path, inPlace, bytes }: Kept,
  language: Language,
  now: number,
): { path: VaultPath; after: Buffer }[] {
  const item = itemAbout({ note: path, about: [path, bytes], at: now });
  const name = nameOf(path).toLowerCase() === reviewName ? originalName : nameOf(path);
  const kept = childPath(item, name);
  const said = words[language];
  const places = `- ${said.inPlace}: \`${showPath(inPlace)}\`\n- ${said.kept}: \`${showPath(kept)}\``;
  const review = `${[said.title, said.why, places, said.question].join('\n\n')}\n`;
  return [
    { path: childPath(item, reviewName), after: Buffer.from(review) },
    { path: kept, after: bytes },
  ];
}

/** An inbox item with the question about lines of which the note has both versions. */
export function askAboutDisputes(
  { path, disputes }: { path: VaultPath; disputes: readonly Dispute[] },
  language: Language,
  now: number,
): { path: VaultPath; after: Buffer } {
  const review = reviewOfDisputes(path, disputes, language);
  const item = itemAbout({ note: path, about: [path, review], at: now });
  return { path: childPath(item, reviewName), after: Buffer.from(review) };
}
