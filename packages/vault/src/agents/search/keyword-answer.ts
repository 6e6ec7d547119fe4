import type { Answer } from '../../contract/index.ts';
import { getReadTool } from '../../tools/index.ts';
import type { ReadRun } from '../../tools/index.ts';
import { fileKindOf, formatPath } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';
import { formatAnswer, collectEvidence } from './answer.ts';

/** The answer without a model: the lines that fast search finds for the question. */
export async function answerByKeywords(question: string, run: ReadRun, language: Language): Promise<Answer> {
  const outcome = await run.search({ queries: [question], mode: 'fast' });
  const passages = outcome.kind === 'found' ? outcome.passages : [];
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
  en: 'No AI model is set up. These are the keyword matches for your question.',
  fr: 'Aucun modèle d’IA n’est configuré. Voici les passages qui contiennent les mots de votre question.',
};
