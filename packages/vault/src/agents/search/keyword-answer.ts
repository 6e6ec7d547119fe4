import type { Answer } from '../../contract/index.ts';
import { getReadTool } from '../../tools/index.ts';
import type { ReadRun } from '../../tools/index.ts';
import { fileKindOf, formatPath } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';
import { formatAnswer, collectEvidence } from './answer.ts';

/** The answer without a model: the lines that fast search finds for the question. */
export async function answerByKeywords(question: string, run: ReadRun, language: Language): Promise<Answer> {
  const outcome = await run.search({ queries: [question], mode: 'fast' });
  // The text of a document is only in the index, so it cannot be cited.
  const passages =
    outcome.kind === 'found' ? outcome.passages.filter(({ path }) => fileKindOf(path) !== 'other') : [];
  const input = {
    files: passages.map(({ path, lines }) => ({
      path: formatPath(path),
      // Images have no lines.
      ...(fileKindOf(path) !== 'image' && { lines: `${lines.start}-${lines.end}` }),
    })),
  };
  const assembled = await getReadTool('concat').call(input, run);
  const evidence = collectEvidence([{ tool: 'concat', input, outcome: assembled }]);
  const found = passages.length > 0 ? 'yes' : 'no';
  return formatAnswer({ overview: introduction[language], found, unsupported: [], evidence }, language);
}

const introduction: Record<Language, string> = {
  en: 'No AI model is set up, so these are the keyword matches. For an answer, ask a connected AI tool or choose a model: keepsake config model',
  fr: 'Aucun modèle d’IA n’est configuré : voici les passages qui contiennent vos mots. Pour une réponse, demandez à un outil d’IA connecté ou choisissez un modèle : keepsake config model',
};
