import type { Answer } from '../../contract/index.ts';
import { getReadTool } from '../../tools/index.ts';
import type { ReadRun } from '../../tools/index.ts';
import { formatPath } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';
import { formatAnswer, collectEvidence } from './answer.ts';

/** Why the agent does not answer: no model is configured, or it did not respond. */
export type KeywordReason = 'no-model' | 'no-response';

/** The answer without a model: the lines that fast search finds for the question. */
export async function answerByKeywords(
  question: string,
  run: ReadRun,
  { language, reason = 'no-model' }: { language: Language; reason?: KeywordReason | undefined },
): Promise<Answer> {
  const outcome = await run.search({ queries: [question], mode: 'fast' });
  const passages = outcome.kind === 'found' ? outcome.passages : [];
  const input = {
    files: passages.map(({ path, lines, isNamed }) => ({
      path: formatPath(path),
      // Images have no lines.
      ...(!isNamed && { lines: `${lines.start}-${lines.end}` }),
    })),
  };
  const assembled = await getReadTool('concat').call(input, run);
  const evidence = collectEvidence([{ tool: 'concat', input, outcome: assembled }]);
  const fits = outcome.kind === 'found' && outcome.fits && passages.length > 0;
  const overview = [
    introduction[reason][language],
    ...(fits || passages.length === 0 ? [] : [nearest[language]]),
  ];
  return formatAnswer(
    { overview: overview.join('\n'), found: fits ? 'yes' : 'no', unsupported: [], evidence },
    language,
  );
}

const nearest: Record<Language, string> = {
  en: 'Nothing in the vault fits the question; the nearest passages follow.',
  fr: 'Rien dans le coffre ne correspond à la question ; voici les passages les plus proches.',
};

const introduction: Record<KeywordReason, Record<Language, string>> = {
  'no-model': {
    en: 'No AI model is set up, so these are the keyword matches. For an answer, ask a connected AI tool or choose a model: keepsake config model',
    fr: 'Aucun modèle d’IA n’est configuré : voici les passages qui contiennent vos mots. Pour une réponse, demandez à un outil d’IA connecté ou choisissez un modèle : keepsake config model',
  },
  'no-response': {
    en: 'The AI model did not answer, so these are the keyword matches.',
    fr: 'Le modèle d’IA n’a pas répondu : voici les passages qui contiennent vos mots.',
  },
};
