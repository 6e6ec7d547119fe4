import { formatPath } from '../vault/index.ts';
import type { Language, ConflictMarkers, VaultPath } from '../vault/index.ts';
import { withConflictRecord } from './conflict-record.ts';
import type { KeptDispute } from './union-merge.ts';

const messages: Record<
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
      'Git could not merge this note and left both sides in it, between `<<<<<<<` and `>>>>>>>`. The note is not searched until these markers are removed.',
    ours: 'One side',
    theirs: 'The other',
    which:
      '**Which side should stay, or how should they be combined?** Edit the note and delete the marker lines.',
    disputed:
      'Two machines changed the same lines of this note. It now contains both versions, one below the other (a frontmatter field has the newer value); everything else was merged.',
    choose: '**Which version should stay, or how should they be combined?** Edit the note accordingly.',
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

/** Renders the question about a conflict copy that only the user can merge. */
export function renderCopyReview(
  copy: VaultPath,
  note: VaultPath,
  isCertain: boolean,
  language: Language,
): string {
  const text = messages[language];
  const record = { kind: 'versions' as const, note: formatPath(note), other: formatPath(copy) };
  const question = `${[
    text.title,
    isCertain ? text.why : text.perhaps,
    `- ${text.note}: \`${formatPath(note)}\`\n- ${text.copy}: \`${formatPath(copy)}\``,
    text.question,
    ...(isCertain ? [] : [text.rename]),
  ].join('\n\n')}\n`;
  return withConflictRecord(record, question);
}

/** Renders the question about a conflict copy whose note was deleted or renamed. */
export function renderOrphanedCopyReview(copy: VaultPath, note: VaultPath, language: Language): string {
  const text = messages[language];
  const which = `- \`${formatPath(copy)}\` (\`${formatPath(note)}\`)`;
  return `${[text.title, text.left, which, text.stays].join('\n\n')}\n`;
}

/** Renders the question about a note with git's conflict markers, quoting both sides. */
export function renderMarkersReview(
  note: VaultPath,
  conflicts: readonly ConflictMarkers[],
  language: Language,
): string {
  const { markers, which } = messages[language];
  const question = renderSidesReview(note, conflicts, language, { why: markers, question: which });
  return withConflictRecord({ kind: 'markers', note: formatPath(note) }, question);
}

/** Renders the question about a note that contains both versions of the lines that two machines changed. */
export function renderDisputesReview(
  note: VaultPath,
  disputes: readonly KeptDispute[],
  language: Language,
): string {
  const { disputed, choose } = messages[language];
  const sides = disputes.map(({ a, b }) => ({ ours: a, theirs: b }));
  const question = renderSidesReview(note, sides, language, { why: disputed, question: choose });
  const regions = disputes.map(({ kept, a, b }) => ({ kept, a, b }));
  return withConflictRecord({ kind: 'lines', note: formatPath(note), regions }, question);
}

function renderSidesReview(
  note: VaultPath,
  sides: readonly { ours: readonly string[]; theirs: readonly string[] }[],
  language: Language,
  { why, question }: { why: string; question: string },
): string {
  const text = messages[language];
  const quoted = (lines: readonly string[]): string => lines.map((line) => `> ${line}`).join('\n');
  return `${[
    text.title,
    why,
    `- ${text.note}: \`${formatPath(note)}\``,
    ...sides.flatMap(({ ours, theirs }) => [
      `${text.ours}:`,
      quoted(ours),
      `${text.theirs}:`,
      quoted(theirs),
    ]),
    question,
  ].join('\n\n')}\n`;
}
