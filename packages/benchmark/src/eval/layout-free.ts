import type { Scenario } from './filing-scenarios.ts';

/**
 * The expectations of a scenario for a memory that keeps no files: facts may be anywhere, an outdated value may only be in a
 * line that says the new one, too, and nothing is expected of single files.
 */
export function withoutLayout({ expect, ...scenario }: Scenario): Scenario {
  return {
    ...scenario,
    expect: {
      ...expect,
      facts: expect.facts.map(({ pattern, ...fact }) => ({
        ...fact,
        pattern: pattern === undefined ? undefined : withoutNotation(pattern),
        in: ['**'],
        times: Number.MAX_SAFE_INTEGER,
      })),
      gone: expect.gone.map((gone) => ({ ...gone, in: '**' })),
      kept: expect.kept.map((kept) => ({ ...kept, in: '**' })),
      untouched: [],
      inbox: undefined,
      changelogEntries: undefined,
    },
  };
}

/** A pattern without the marks of Keepsake's notes: `deadline: 2026-03-04` is that date, in any notation. */
function withoutNotation(pattern: string): string {
  return pattern.replaceAll('deadline: ', '').replaceAll(/\\\[d[ée]cision\\\]\[\^#\]\*/g, '');
}

/** The expectations for a memory whose content cannot be read: only answers to questions. */
export function onlyQuestions({ expect, ...scenario }: Scenario): Scenario {
  const none = { facts: [], gone: [], kept: [], complete: false, secrets: [] };
  return { ...withoutLayout({ ...scenario, expect: { ...expect, ...none } }), forget: [] };
}
