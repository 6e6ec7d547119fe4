import type { Scenario } from './filing-scenarios.ts';
import type { Dimension, Outcome } from './outcome.ts';
import { matcherOf, quoted } from './wanted.ts';
import type { Wanted } from './wanted.ts';

/** Counted by what must be shown; what is outdated and stands alone spoils its question. */
export function questionsOf(
  questions: Scenario['expect']['questions'],
  answers: Outcome['answers'],
): Dimension {
  const each = questions.map(({ question, evidence, outdated }, index) => {
    const shownLines = answers[index] ?? [];
    const isShown = (wanted: Wanted): boolean => shownLines.some(matcherOf(wanted));
    const missing = evidence.filter((wanted) => !isShown(wanted));
    const stale = missing.length === 0 ? [] : outdated.filter(isShown);
    return {
      passed: stale.length > 0 ? 0 : evidence.length - missing.length,
      of: evidence.length,
      problems: [
        ...missing.map((wanted) => `${JSON.stringify(question)} was answered without ${quoted(wanted)}`),
        ...stale.map(
          (wanted) => `${JSON.stringify(question)} was answered with ${quoted(wanted)}, which is outdated`,
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
