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
      facts: expect.facts.map((fact) => ({ ...fact, in: ['**'], times: Number.MAX_SAFE_INTEGER })),
      gone: expect.gone.map((gone) => ({ ...gone, in: '**' })),
      kept: expect.kept.map((kept) => ({ ...kept, in: '**' })),
      untouched: [],
      inbox: undefined,
      changelogEntries: undefined,
    },
  };
}

/** The expectations for a memory whose content cannot be read: only answers to questions. */
export function onlyQuestions({ expect, ...scenario }: Scenario): Scenario {
  const none = { facts: [], gone: [], kept: [], complete: false, secrets: [] };
  return { ...withoutLayout({ ...scenario, expect: { ...expect, ...none } }), forget: [] };
}
