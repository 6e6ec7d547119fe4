import type { CommitFailure } from '../../tools/index.ts';
import { formatPath } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';

type Conflicts = CommitFailure['conflicts'];

const words: Record<Language, Record<'title' | 'why' | 'present' | 'wanted' | 'question', string>> = {
  en: {
    title: '# Conflicting edits',
    why: 'The input could not be filed because another program kept changing the same lines.',
    present: 'Current version:',
    wanted: 'Proposed version:',
    question: '**Which version should be kept, or how should they be combined?**',
  },
  fr: {
    title: '# Modifications en conflit',
    why: 'Le message n’a pas pu être classé : un autre programme modifiait sans cesse les mêmes lignes.',
    present: 'Version actuelle :',
    wanted: 'Version proposée :',
    question: '**Quelle version garder, ou comment les combiner ?**',
  },
};

const failureWords: Record<Language, Record<'title' | 'why' | 'place' | 'answer', string>> = {
  en: {
    title: '# Not filed yet',
    why: 'Nothing is lost: the original is stored next to this file. It could not be filed:',
    place: '**Where does it belong?** Your answer starts another attempt.',
    answer: 'Your answer is stored next to it. **Answer again to start another attempt.**',
  },
  fr: {
    title: '# Pas encore classé',
    why: 'Rien n’est perdu : l’original se trouve à côté de ce fichier. Il n’a pas pu être classé :',
    place: '**Où faut-il le classer ?** Votre réponse lancera un nouvel essai.',
    answer: 'Votre réponse est conservée à côté. **Répondez de nouveau pour relancer l’essai.**',
  },
};

/** The question to the user when every attempt to file the input has failed. */
export function formatFailureReview(reason: string, isAnswer: boolean, language: Language): string {
  const { title, why, place, answer } = failureWords[language];
  return `${[title, why, quote([reason]), isAnswer ? answer : place].join('\n\n')}\n`;
}

/** The question to the user, with both versions, when another program kept changing the same lines. */
export function formatConflictReview(files: Conflicts, language: Language): string {
  const { title, why, present, wanted, question } = words[language];
  const parts = files.flatMap(({ path, reason, conflicts }) => [
    `## ${formatPath(path)}`,
    ...(conflicts.length === 0 ? [reason] : []),
    ...conflicts.flatMap((conflict) => [present, quote(conflict.current), wanted, quote(conflict.incoming)]),
  ]);
  return `${[title, why, ...parts, question].join('\n\n')}\n`;
}

function quote(lines: readonly string[]): string {
  const text = lines.join('').replace(/\n$/, '');
  return text === ''
    ? '> —'
    : text
        .split('\n')
        .map((line) => `> ${line}`)
        .join('\n');
}
