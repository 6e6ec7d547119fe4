import { showPath } from '../vault/index.ts';
import type { Language, MarkedConflict, VaultPath } from '../vault/index.ts';
import type { Dispute } from './unite-lines.ts';

const words: Record<
  Language,
  Record<
    | 'title'
    | 'why'
    | 'perhaps'
    | 'note'
    | 'copy'
    | 'question'
    | 'rename'
    | 'left'
    | 'stays'
    | 'markers'
    | 'ours'
    | 'theirs'
    | 'which'
    | 'disputed'
    | 'choose',
    string
  >
> = {
  en: {
    title: '# Two versions of one note',
    why: 'Two machines changed the same lines, and a sync service kept both versions. Neither is lost; only the first is searched.',
    perhaps:
      'This looks like the second version of a note that a sync service keeps. Neither is lost; only the first is searched.',
    note: 'In place',
    copy: 'Beside it',
    question:
      '**Which of the two should stand, or how do they go together?** Delete the second one when it is no longer needed.',
    rename: 'If it is a note of its own, give it another name: then it is searched like any other.',
    left: 'A sync service kept this as the second version of a note that is no longer there: it was deleted or renamed. From now on it is a note, and searched.',
    stays:
      '**Should it stay, become part of another note, or go?** If it stays, give it another name; if not, delete it.',
    markers:
      'Git could not merge a note, and left both sides in it, between lines of `<<<<<<<` and `>>>>>>>`. It is not searched until they are gone.',
    ours: 'One side',
    theirs: 'The other',
    which:
      '**Which side should stand, or how do they go together?** Delete the lines that git put around them.',
    disputed:
      'Two machines changed the same lines of this note. It has both versions of them, one below the other (of a field in the frontmatter the newer one); everything else was merged.',
    choose: '**Which of the two should stay, or how do they go together?** Edit the note accordingly.',
  },
  fr: {
    title: '# Deux versions d’une note',
    why: 'Deux machines ont modifié les mêmes lignes, et un service de synchronisation a gardé les deux versions. Rien n’est perdu ; seule la première est cherchée.',
    perhaps:
      'Ceci ressemble à la seconde version d’une note, gardée par un service de synchronisation. Rien n’est perdu ; seule la première est cherchée.',
    note: 'En place',
    copy: 'À côté',
    question:
      '**Laquelle des deux doit rester, ou comment vont-elles ensemble ?** Supprimez la seconde quand elle ne sert plus.',
    rename:
      'Si c’est une note à part entière, donnez-lui un autre nom : elle sera cherchée comme toute autre.',
    left: 'Un service de synchronisation a gardé ceci comme seconde version d’une note qui n’est plus là : elle a été supprimée ou renommée. C’est désormais une note, et elle est cherchée.',
    stays:
      '**Doit-elle rester, rejoindre une autre note, ou disparaître ?** Si elle reste, donnez-lui un autre nom ; sinon, supprimez-la.',
    markers:
      'Git n’a pas pu fusionner une note et y a laissé les deux côtés, entre des lignes `<<<<<<<` et `>>>>>>>`. Elle n’est pas cherchée tant qu’elles y sont.',
    ours: 'Un côté',
    theirs: 'L’autre',
    which:
      '**Quel côté doit rester, ou comment vont-ils ensemble ?** Supprimez les lignes que git a mises autour.',
    disputed:
      'Deux machines ont modifié les mêmes lignes de cette note. Elle contient les deux versions de ces lignes, l’une sous l’autre (pour un champ de l’en-tête, la plus récente) ; tout le reste a été fusionné.',
    choose:
      '**Laquelle des deux versions faut-il garder, ou comment les réunir ?** Modifiez la note en conséquence.',
  },
};

/** The question to the person about a conflict copy that nobody but a person can merge. */
export function reviewOfCopy(
  copy: VaultPath,
  note: VaultPath,
  isCertain: boolean,
  language: Language,
): string {
  const said = words[language];
  return `${[
    said.title,
    isCertain ? said.why : said.perhaps,
    `- ${said.note}: \`${showPath(note)}\`\n- ${said.copy}: \`${showPath(copy)}\``,
    said.question,
    ...(isCertain ? [] : [said.rename]),
  ].join('\n\n')}\n`;
}

/** The question about a conflict copy whose note is gone. */
export function reviewOfLeftCopy(copy: VaultPath, note: VaultPath, language: Language): string {
  const said = words[language];
  const which = `- \`${showPath(copy)}\` (\`${showPath(note)}\`)`;
  return `${[said.title, said.left, which, said.stays].join('\n\n')}\n`;
}

/** The question about a note in which git left both sides, with what each says. */
export function reviewOfMarkers(
  note: VaultPath,
  conflicts: readonly MarkedConflict[],
  language: Language,
): string {
  const { markers, which } = words[language];
  return reviewOfSides(note, conflicts, language, { why: markers, question: which });
}

/** The question about a note that has both versions of the lines that two machines changed. */
export function reviewOfDisputes(note: VaultPath, disputes: readonly Dispute[], language: Language): string {
  const { disputed, choose } = words[language];
  const sides = disputes.map(({ a, b }) => ({ ours: a, theirs: b }));
  return reviewOfSides(note, sides, language, { why: disputed, question: choose });
}

function reviewOfSides(
  note: VaultPath,
  sides: readonly { ours: readonly string[]; theirs: readonly string[] }[],
  language: Language,
  { why, question }: { why: string; question: string },
): string {
  const said = words[language];
  const quoted = (lines: readonly string[]): string => lines.map((line) => `> ${line}`).join('\n');
  return `${[
    said.title,
    why,
    `- ${said.note}: \`${showPath(note)}\``,
    ...sides.flatMap(({ ours, theirs }) => [
      `${said.ours}:`,
      quoted(ours),
      `${said.theirs}:`,
      quoted(theirs),
    ]),
    question,
  ].join('\n\n')}\n`;
}
