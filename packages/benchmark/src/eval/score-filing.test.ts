import { describe, expect, it } from 'vitest';
import { readScenarios, initialFiles } from './filing-scenarios.ts';
import type { Scenario } from './filing-scenarios.ts';
import type { FilingOutcome } from './filing-outcome.ts';
import { scoreFiling } from './score-filing.ts';
import type { FilingScore } from './score-filing.ts';

type Files = Record<string, string>;

const before: Files = {
  'overview.md': '# Vue\n\n<!-- keepsake:status -->\n2025-07-12\n<!-- /keepsake:status -->\n\n- x : projet\n',
  'profile.md': '---\ncreated: 2025-01-01T00:00:00\ntokens: 3\n---\n# Profil\n',
  'changelog.md': '# 2025-07-12\n\n## Ancien\nun fait\n',
  'projects/x/state.md': '## Statut\nLivraison le 1er août\nReste ici\n',
  'projects/x/tasks.md': '# Appeler\n',
  'projects/y/state.md': 'autre\n',
};

function scoreAll(
  expected: Partial<Scenario['expect']>,
  after: Files,
  more: {
    held?: boolean;
    before?: Files;
    inboxRef?: string;
    text?: string;
    language?: 'fr' | 'en' | 'de';
  } = {},
  outcome: Partial<FilingOutcome> = {},
): FilingScore {
  const scenario: Scenario = {
    id: 'a',
    language: more.language ?? 'fr',
    about: '',
    tags: [],
    vault: 'v',
    files: {},
    forget: [],
    inputs: [{ text: more.text ?? '', files: [], source: 'person', inboxRef: more.inboxRef }],
    expect: {
      facts: [],
      gone: [],
      kept: [],
      untouched: [],
      held: false,
      allowed: [],
      complete: false,
      secrets: [],
      questions: [],
      ...expected,
    },
  };
  const files = (contents: Files): Map<string, string> => new Map(Object.entries(contents));
  return scoreFiling(
    scenario,
    { files: files(more.before ?? before), documents: [] },
    {
      files: files(after),
      settled: 1,
      held: more.held ?? false,
      days: ['2025-07-15'],
      answers: [],
      receipts: [],
      ...outcome,
    },
  );
}

const score = (...args: Parameters<typeof scoreAll>): FilingScore['dimensions'] =>
  scoreAll(...args).dimensions;

const fact = { text: '15 septembre', in: ['projects/x/state.md', 'projects/x/tasks.md'], times: 1 };
const moved = { ...before, 'projects/x/state.md': '## Statut\nLivraison le 15 septembre\nReste ici\n' };

describe('the check for the right place', () => {
  it('passes when the fact is in one of the listed files', () => {
    expect(score({ facts: [fact] }, moved).rightPlace).toEqual({ passed: 1, of: 1, problems: [] });
  });

  it('fails when the fact is in another file', () => {
    const after = { ...before, 'projects/y/state.md': 'le 15 septembre\n' };
    expect(score({ facts: [fact] }, after).rightPlace).toEqual({
      passed: 0,
      of: 1,
      problems: [
        '"15 septembre" should be in vault/projects/x/state.md or vault/projects/x/tasks.md, but is in vault/projects/y/state.md',
      ],
    });
  });

  it('fails when the fact is in no file', () => {
    expect(score({ facts: [fact] }, before).rightPlace.problems).toEqual([
      '"15 septembre" should be in vault/projects/x/state.md or vault/projects/x/tasks.md, but is nowhere',
    ]);
  });

  it('accepts a glob as the place and a pattern as the text', () => {
    const facts = [{ pattern: '^le \\d+ sept', in: ['projects/!(x|y)/*.md'], times: 1 }];
    const inNew = score({ facts }, { ...before, 'projects/z/state.md': 'Le 15 septembre\n' });
    expect(inNew.rightPlace.passed).toBe(1);
    const inOld = score({ facts }, { ...before, 'projects/y/state.md': 'Le 15 septembre\n' });
    expect(inOld.rightPlace.passed).toBe(0);
  });

  it.each([
    'LIVRAISON DÉPLACÉE',
    'livraison  deplacee',
    'livraison\ndéplacée',
    'livraison\u00a0de\u0301placée',
  ])('matches %j regardless of case, accents and whitespace', (text) => {
    const facts = [{ text: 'Livraison déplacée', in: ['tasks.md'], times: 1 }];
    expect(score({ facts }, { ...before, 'tasks.md': text }).rightPlace.passed).toBe(1);
  });
});

describe('the check for duplicates', () => {
  it('allows repetitions in changelogs, buckets, the inbox and the tree', () => {
    const text = 'le 15 septembre\n';
    const after = {
      ...moved,
      'changelog.md': text,
      'projects/x/changelog.md': text,
      'projects/x/bucket/mail.md': text,
      'bucket/mail.md': text,
      'inbox/i/review.md': text,
      'tree.md': text,
    };
    expect(score({ facts: [fact] }, after).presentOnce).toEqual({ passed: 1, of: 1, problems: [] });
  });

  it('fails when a fact is on two lines, of one file or of several', () => {
    const after = {
      ...moved,
      'overview.md': 'x : 15 septembre\n',
      'projects/x/tasks.md': '# Livrer\n\nAvant le 15 septembre\n',
    };
    expect(score({ facts: [fact] }, after).presentOnce.problems).toEqual([
      '"15 septembre" should be on at most 1 lines, but is on 3: vault/overview.md:1, vault/projects/x/state.md:2, vault/projects/x/tasks.md:3',
    ]);
    expect(score({ facts: [{ ...fact, times: 3 }] }, after).presentOnce.passed).toBe(1);
  });

  it('fails when a fact is absent', () => {
    expect(score({ facts: [fact] }, before).presentOnce.problems).toEqual([
      '"15 septembre" is nowhere in the vault',
    ]);
  });

  it('fails when an outdated fact is still there', () => {
    const gone = [{ text: '1er août', in: 'projects/x/state.md' }];
    expect(score({ gone }, moved).presentOnce).toEqual({ passed: 1, of: 1, problems: [] });
    expect(score({ gone }, before).presentOnce).toEqual({
      passed: 0,
      of: 1,
      problems: ['vault/projects/x/state.md still says "1er août"'],
    });
    const { 'projects/x/state.md': _, ...withoutFile } = before;
    expect(score({ gone }, withoutFile).presentOnce.passed).toBe(1);
  });
});

describe('the check for lines to keep', () => {
  const kept = [{ text: 'Reste ici', in: 'projects/x/state.md' }];

  it('passes when a whole line still exists', () => {
    expect(score({ kept }, moved).nothingLost).toEqual({ passed: 1, of: 1, problems: [] });
  });

  it.each(['Ne reste ici pas\n', 'reste ici\n', ''])('fails when the line was replaced by %j', (text) => {
    expect(score({ kept }, { ...before, 'projects/x/state.md': text }).nothingLost.problems).toEqual([
      'vault/projects/x/state.md has lost the line "Reste ici"',
    ]);
  });
});

describe('the check for untouched files', () => {
  const untouched = ['projects/y/**', 'profile.md', 'overview.md'];

  it('passes when their bytes are the same', () => {
    expect(score({ untouched }, moved).noWrongOverwrite).toEqual({ passed: 3, of: 3, problems: [] });
  });

  it('passes when only stamps and the status of the overview differ', () => {
    const after = {
      ...before,
      'overview.md': before['overview.md']?.replace('2025-07-12', '2025-07-15\n1 élément') ?? '',
      'profile.md':
        '---\ncreated: 2025-01-01T00:00:00\nupdated: 2025-07-15T10:00:00\ntokens: 4\n---\n# Profil\n',
      'projects/y/state.md': '---\ncreated: 2025-07-15T10:00:00\ntokens: 2\n---\nautre\n',
    };
    expect(score({ untouched }, after).noWrongOverwrite.problems).toEqual([]);
  });

  it.each([
    ['changed', { ...before, 'profile.md': `${before['profile.md']}plus\n` }, 'vault/profile.md'],
    ['changed', { ...before, 'profile.md': '---\nmood: good\n---\n# Profil\n' }, 'vault/profile.md'],
    ['changed', { ...before, 'overview.md': `${before['overview.md']}plus\n` }, 'vault/overview.md'],
  ])('fails when a file was %s', (_, after, path) => {
    expect(score({ untouched }, after).noWrongOverwrite).toEqual({
      passed: 2,
      of: 3,
      problems: [`${path} should be untouched, but ${path} was changed`],
    });
  });

  it('fails when a file was removed or added', () => {
    const { 'projects/y/state.md': _, ...removed } = before;
    const after = { ...removed, 'projects/y/new.md': '', 'tree.md': 'generated' };
    expect(score({ untouched: ['**'] }, after).noWrongOverwrite.problems).toEqual([
      'vault/** should be untouched, but vault/projects/y/state.md was removed, vault/projects/y/new.md was added',
    ]);
  });
});

describe('the check of the inbox', () => {
  const withItem = { ...before, 'inbox/old/review.md': '?', 'inbox/old/note.md': 'note' };
  const withNew = { ...before, 'inbox/new/review.md': '?' };
  const problem = (
    inbox: 'none' | 'new' | 'answered' | 'still-open',
    was: Files,
    is: Files,
    inboxRef?: string,
  ) =>
    score({ inbox }, is, { before: was, ...(inboxRef !== undefined && { inboxRef }) }).inbox.problems[0] ??
    null;

  it('requires that the inbox is unchanged when no question is expected', () => {
    expect(problem('none', before, before)).toBeNull();
    expect(problem('none', before, withNew)).toBe('vault/inbox/new was added unnecessarily');
    expect(problem('none', withItem, before)).toBe('vault/inbox/old has disappeared');
  });

  it('requires a new item with a review when the input is ambiguous', () => {
    expect(problem('new', before, withNew)).toBeNull();
    expect(problem('new', before, before)).toBe(
      'no item was added to vault/inbox, although the input is ambiguous',
    );
    expect(problem('new', before, { ...before, 'inbox/new/note.md': '' })).toBe(
      'vault/inbox/new has no review.md',
    );
  });

  it('requires that an answered item is gone', () => {
    expect(problem('answered', withItem, before, 'old')).toBeNull();
    expect(problem('answered', withItem, withItem, 'old')).toBe(
      'vault/inbox/old was answered, but still exists',
    );
    expect(problem('answered', withItem, withNew, 'old')).toBe('vault/inbox/new was added unnecessarily');
  });

  it('requires that an unanswered item still exists', () => {
    expect(problem('still-open', withItem, withItem, 'old')).toBeNull();
    expect(problem('still-open', withItem, before, 'old')).toBe(
      'vault/inbox/old was not answered, but is gone',
    );
  });

  it('is skipped when nothing is expected of the inbox', () => {
    expect(score({}, withNew).inbox).toEqual({ passed: 0, of: 0, problems: [] });
  });
});

describe('the check of the changelog', () => {
  const added = '# 2025-07-15\n\n## Livraison déplacée\nau 15 septembre\n\n';
  const after = { ...before, 'changelog.md': added + before['changelog.md'] };

  it('passes with the expected number of new entries', () => {
    expect(score({ changelogEntries: 1 }, after).changelog).toEqual({ passed: 1, of: 1, problems: [] });
    expect(score({ changelogEntries: 0 }, before).changelog.passed).toBe(1);
  });

  it('fails with more or fewer entries', () => {
    expect(score({ changelogEntries: 1 }, before).changelog.problems).toEqual([
      'new entries in vault/changelog.md: expected 1, found 0',
    ]);
    expect(score({ changelogEntries: 0 }, after).changelog.passed).toBe(0);
  });

  it('accepts that an update which only adds tasks has no entry', () => {
    const tasks = (text: string): Files => ({ ...before, 'projects/x/tasks.md': text });
    expect(score({ changelogEntries: 1 }, tasks('# Appeler\n\n# Commander\n')).changelog.passed).toBe(1);
    expect(score({ changelogEntries: 1 }, { ...before, 'tasks.md': '# Commander\n' }).changelog.passed).toBe(
      1,
    );
    expect(score({ changelogEntries: 1 }, tasks('# Commander\n')).changelog.passed).toBe(0);
    expect(score({ changelogEntries: 1 }, moved).changelog.passed).toBe(0);
  });

  it('fails when an old entry was rewritten', () => {
    const rewritten = { ...before, 'changelog.md': '# 2025-07-12\n\n## Autre\nun fait\n' };
    expect(score({ changelogEntries: 0 }, rewritten).changelog.passed).toBe(0);
  });
});

describe('the held state of an update', () => {
  it.each([
    [false, false, []],
    [true, true, []],
    [false, true, ['the update was held, but should not be']],
    [true, false, ['the update should be held, but was not']],
  ])('is compared with the expectation: expected %s, actual %s', (expected, held, problems) => {
    expect(score({ held: expected }, before, { held }).held.problems).toEqual(problems);
  });
});

describe('the score of a scenario', () => {
  it('is the mean of the dimensions with expectations', () => {
    // rightPlace 1/1, presentOnce 1/2, noWrongOverwrite 0/1, held 1/1, precision 1/1
    const { share } = scoreAll(
      {
        facts: [fact],
        gone: [{ text: 'Reste ici', in: 'projects/x/state.md' }],
        untouched: ['projects/**'],
      },
      moved,
    );
    expect(share).toBe(4.5 / 6);
  });

  it('is 1 for a perfect result', () => {
    const scenarios = readScenarios('packages/benchmark/data/filing');
    const scenario = scenarios.find(({ id }) => id === 'fr-route-etat') ?? expect.unreachable();
    const start = initialFiles('packages/benchmark/data/filing', scenario);
    const change = (path: string, from: string, to: string): [string, string] => [
      path,
      (start.get(path) ?? '').replace(from, to),
    ];
    const after = new Map([
      ...start,
      change(
        'projects/startup-x/state.md',
        'Un cabinet de six praticiens, 140 rendez-vous par semaine.',
        'Un cabinet de huit praticiens, 180 rendez-vous par semaine.',
      ),
      change(
        'changelog.md',
        '# 2025-07-12',
        '# 2025-07-15\n\n## startup-x : le cabinet grandit\n\n# 2025-07-12',
      ),
    ]);
    const outcome = {
      files: after,
      settled: 1,
      held: false,
      days: ['2025-07-15'],
      answers: [],
      receipts: [],
    };
    expect(scoreFiling(scenario, { files: start, documents: [] }, outcome)).toMatchObject({
      strict: true,
      share: 1,
      normalised: 1,
    });
  });
});
