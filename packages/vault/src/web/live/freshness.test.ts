import { describe, expect, it } from 'vitest';
import { createFreshness } from './freshness.ts';

type Step = ['response' | 'stream', string | null];

function countStale(steps: readonly Step[]): number {
  let count = 0;
  const freshness = createFreshness(() => (count += 1));
  for (const [kind, position] of steps)
    if (kind === 'response') freshness.addResponse(position);
    else freshness.addStream(position ?? '');
  return count;
}

describe('createFreshness', () => {
  it.each<[string, Step[], number]>([
    [
      'nothing happened in between',
      [
        ['response', 'ab-3'],
        ['stream', 'ab-3'],
        ['response', 'ab-3'],
      ],
      0,
    ],
    [
      'the response is newer',
      [
        ['stream', 'ab-3'],
        ['response', 'ab-4'],
      ],
      0,
    ],
    [
      'an event came after the first response',
      [
        ['response', 'ab-3'],
        ['response', 'ab-4'],
        ['stream', 'ab-4'],
      ],
      1,
    ],
    [
      'an older response arrives late',
      [
        ['stream', 'ab-4'],
        ['response', 'ab-3'],
        ['response', 'ab-4'],
      ],
      1,
    ],
    [
      'the server restarted in between',
      [
        ['response', 'ab-9'],
        ['stream', 'cd-1'],
      ],
      1,
    ],
    [
      'responses have no position',
      [
        ['response', null],
        ['stream', 'ab-1'],
      ],
      0,
    ],
    [
      'a new stream starts after the responses to the last one',
      [
        ['stream', 'ab-1'],
        ['response', 'ab-1'],
        ['stream', 'ab-5'],
      ],
      1,
    ],
  ])('when %s', (_, steps, expected) => {
    expect(countStale(steps)).toBe(expected);
  });
});
