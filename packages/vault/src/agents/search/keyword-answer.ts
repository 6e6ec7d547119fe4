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
  const finding = fits ? 'matches' : passages.length === 0 ? 'nothing' : 'nearest';
  return formatAnswer(
    { overview: introduce(reason, finding, language), found: fits ? 'yes' : 'no', unsupported: [], evidence },
    language,
  );
}

type Finding = 'matches' | 'nearest' | 'nothing';

/** Says why there is no answer, what is shown instead, and how to get one. */
function introduce(reason: KeywordReason, finding: Finding, language: Language): string {
  const advice = reason === 'no-model' ? [howToGetAnswer[language]] : [];
  return [`${reasons[reason][language]}${findings[finding][language]}`, ...advice].join(' ');
}

const reasons: Record<KeywordReason, Record<Language, string>> = {
  'no-model': { en: 'No AI model is set up', fr: 'Aucun modèle d’IA n’est configuré' },
  'no-response': { en: 'The AI model did not answer', fr: 'Le modèle d’IA n’a pas répondu' },
};

/** A passage below the threshold may still have the answer, so that the vault has none is not said. */
const findings: Record<Finding, Record<Language, string>> = {
  matches: {
    en: ', so these are the keyword matches.',
    fr: ' : voici les passages qui contiennent vos mots.',
  },
  nearest: {
    en: ', and no passage matches the question well; the nearest follow.',
    fr: ', et aucun passage ne correspond bien à la question ; voici les plus proches.',
  },
  nothing: {
    en: ', and a search for the words of the question found nothing.',
    fr: ', et la recherche de vos mots n’a rien donné.',
  },
};

const howToGetAnswer: Record<Language, string> = {
  en: 'For an answer, ask a connected AI tool or choose a model: keepsake config model',
  fr: 'Pour une réponse, demandez à un outil d’IA connecté ou choisissez un modèle : keepsake config model',
};
