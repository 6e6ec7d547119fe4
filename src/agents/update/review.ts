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
