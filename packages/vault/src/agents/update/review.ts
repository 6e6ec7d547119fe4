import type { CommitFailure } from '../../tools/index.ts';
import { showPath } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';

type Conflicts = CommitFailure['conflicts'];

const words: Record<Language, Record<'title' | 'why' | 'present' | 'wanted' | 'question', string>> = {
  en: {
    title: '# These lines kept changing',
    why: 'What came in could not be filed: the same lines were changed by somebody else, again and again.',
    present: 'What stands there now:',
    wanted: 'What was to stand there:',
    question: '**Which of the two should stand, or how do they go together?**',
  },
  fr: {
    title: '# Ces lignes changeaient sans cesse',
    why: 'Ce qui est arrivé n’a pas pu être rangé : les mêmes lignes étaient modifiées par quelqu’un d’autre, encore et encore.',
    present: 'Ce qui s’y trouve maintenant :',
    wanted: 'Ce qui devait s’y trouver :',
    question: '**Lequel des deux doit rester, ou comment vont-ils ensemble ?**',
  },
};

const failureWords: Record<Language, Record<'title' | 'why' | 'place' | 'answer', string>> = {
  en: {
    title: '# Not filed yet',
    why: 'Nothing is lost: what came in lies beside this, as it came. It could not be filed:',
    place: '**Where does it belong?** Answer, and it is tried again with your words.',
    answer: 'Your answer lies beside it. **Answer again, and it is tried once more.**',
  },
  fr: {
    title: '# Pas encore rangé',
    why: 'Rien n’est perdu : ce qui est arrivé se trouve à côté, tel quel. Cela n’a pas pu être rangé :',
    place: '**Où cela va-t-il ?** Répondez, et un nouvel essai se fera avec vos mots.',
    answer: 'Votre réponse se trouve à côté. **Répondez encore, et un nouvel essai se fera.**',
  },
};

/** The question to the person when no attempt has filed what came in. */
export function reviewOfFailure(reason: string, isAnswer: boolean, language: Language): string {
  const { title, why, place, answer } = failureWords[language];
  return `${[title, why, quote([reason]), isAnswer ? answer : place].join('\n\n')}\n`;
}

/** The question to the person when an update and somebody else kept changing the same lines: both versions. */
export function reviewOfConflict(files: Conflicts, language: Language): string {
  const { title, why, present, wanted, question } = words[language];
  const parts = files.flatMap(({ path, reason, conflicts }) => [
    `## ${showPath(path)}`,
    ...(conflicts.length === 0 ? [reason] : []),
    ...conflicts.flatMap((conflict) => [present, quote(conflict.present), wanted, quote(conflict.wanted)]),
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
