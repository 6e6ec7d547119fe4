import { contentTerms } from '../../../../vault/src/review/index.ts';
import type { Evidence, SystemAnswer } from './memory-system.ts';

/** Of the content words of a question, this share has to be in what was found; otherwise the answer is that there is none. */
const minShare = 0.5;
/** The sentence quotes this many lines. */
const quotedLines = 2;

const absence = {
  en: 'The notes do not say it.',
  fr: 'Les notes ne le disent pas.',
  de: 'In den Notizen steht es nicht.',
};

/** Finds the content words of texts, and remembers them. */
export function createTermFinder(): (text: string) => ReadonlySet<string> {
  const known = new Map<string, ReadonlySet<string>>();
  return (text) => {
    const terms = known.get(text) ?? contentTerms(text);
    known.set(text, terms);
    return terms;
  };
}

/**
 * Answers without a model, in the same way for every system: it quotes the lines found that have most words of the question, or says
 * that there is no answer.
 */
export function extractAnswer(
  question: string,
  language: 'fr' | 'en' | 'de',
  evidence: readonly Evidence[],
  findTerms: (text: string) => ReadonlySet<string> = contentTerms,
): SystemAnswer {
  const asked = findTerms(question);
  const shareIn = (terms: ReadonlySet<string>): number =>
    asked.size === 0 ? 0 : [...asked].filter((term) => terms.has(term)).length / asked.size;
  const lines = evidence
    .flatMap(({ text }) => text.split('\n'))
    .filter((line) => line.trim() !== '' && !line.trim().startsWith('#'))
    .map((line) => ({ line: line.trim(), share: shareIn(findTerms(line)) }));
  const best = lines.toSorted((a, b) => b.share - a.share).slice(0, quotedLines);
  const whole = Math.max(0, ...evidence.map(({ text, path = '' }) => shareIn(findTerms(`${path}\n${text}`))));
  if (whole < minShare) return { text: absence[language], found: 'no', evidence };
  return { text: best.map(({ line }) => line).join('\n'), found: 'yes', evidence };
}
