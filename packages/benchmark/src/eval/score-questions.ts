import type { Scenario } from './filing-scenarios.ts';
import type { DimensionScore, FilingOutcome } from './filing-outcome.ts';
import { quoted } from './text-matcher.ts';
import type { TextMatcherSpec } from './text-matcher.ts';

/** Counts the evidence that the answers show. An answer that lacks evidence and shows an outdated fact scores 0. */
export function scoreQuestions(
  questions: Scenario['expect']['questions'],
  answers: FilingOutcome['answers'],
  matcherOf: (spec: TextMatcherSpec) => (within: string) => boolean,
): DimensionScore {
  const each = questions.map(({ question, evidence, outdated }, index) => {
    const shownLines = answers[index] ?? [];
    const isShown = (spec: TextMatcherSpec): boolean => shownLines.some(matcherOf(spec));
    const missing = evidence.filter((spec) => !isShown(spec));
    const stale = missing.length === 0 ? [] : outdated.filter(isShown);
    return {
      passed: stale.length > 0 ? 0 : evidence.length - missing.length,
      of: evidence.length,
      problems: [
        ...missing.map((spec) => `${JSON.stringify(question)} was answered without showing ${quoted(spec)}`),
        ...stale.map(
          (spec) => `${JSON.stringify(question)} was answered with ${quoted(spec)}, which is outdated`,
        ),
      ],
    };
  });
  return {
    passed: each.reduce((sum, { passed }) => sum + passed, 0),
    of: each.reduce((sum, { of }) => sum + of, 0),
    problems: each.flatMap(({ problems }) => problems),
  };
}
