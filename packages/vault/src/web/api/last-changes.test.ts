import { describe, expect, it } from 'vitest';
import { lastAuthors, lastTimes } from './last-changes.ts';

const by = (
  kind: 'person' | 'agent',
  at: number,
  paths: string[],
  state: 'applied' | 'held' = 'applied',
) => ({
  who: { kind, name: '' },
  at,
  paths,
  state,
});

/** In the order of the server: newest first. */
const changes = [
  by('agent', 5, ['vault/held.md'], 'held'),
  by('person', 4, ['vault/a.md']),
  by('agent', 3, ['vault/a.md', 'vault/vault/b.md']),
];

describe('the last change of each file', () => {
  it('has the author of the last applied change', () => {
    expect([...lastAuthors(changes)]).toEqual([
      ['a.md', 'person'],
      ['vault/b.md', 'agent'],
    ]);
  });

  it('has the newest time, regardless of the order of changes', () => {
    expect([...lastTimes(changes.toReversed())]).toEqual([
      ['a.md', 4],
      ['vault/b.md', 3],
    ]);
  });
});
