import type { Scenario } from './filing-scenarios.ts';

/**
 * The expectations of a scenario for a memory that keeps no files: facts may be anywhere, and nothing is expected of single files. That
 * an outdated value is gone is asked with questions, because such a memory may keep a history.
 */
export function withoutLayout({ expect, ...scenario }: Scenario): Scenario {
  return {
    ...scenario,
    expect: {
      ...expect,
      facts: expect.facts.map((fact) => ({ ...fact, in: ['**'], times: Number.MAX_SAFE_INTEGER })),
      gone: [],
      kept: expect.kept.map((kept) => ({ ...kept, in: '**' })),
      untouched: [],
      inbox: undefined,
      changelogEntries: undefined,
    },
  };
}
