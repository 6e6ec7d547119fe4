import type { Answer } from '../../contract/index.ts';
import { readToolNamed } from '../../tools/index.ts';
import type { ReadRun } from '../../tools/index.ts';
import { kindOf, showPath } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';
import { composeAnswer, evidenceOf } from './answer.ts';

/** Where there is no model: the lines that fast search finds for the words of a question. */
export async function findLines(question: string, run: ReadRun, language: Language): Promise<Answer> {
  const outcome = await run.search({ queries: [question], mode: 'fast' });
  const passages = outcome.kind === 'found' ? outcome.passages : [];
  const input = {
    files: passages.map(({ path, lines }) => ({
      path: showPath(path),
      // An image has none.
      ...(kindOf(path) !== 'image' && { lines: `${lines.start}-${lines.end}` }),
    })),
  };
  const assembled = await readToolNamed('concat').call(input, run);
  const evidence = evidenceOf([{ tool: 'concat', input, outcome: assembled }]);
  return composeAnswer(said[language], evidence, language);
}

const said: Record<Language, string> = {
  en: 'No model is chosen, so nobody has read this: it is what fast search finds for the words of the question.',
  fr: 'Aucun modèle n’est choisi, donc personne n’a lu ceci : c’est ce que la recherche rapide trouve pour les mots de la question.',
};
