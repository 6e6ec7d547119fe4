import { describe, expect, it } from 'vitest';
import { localTime } from '../contract/index.ts';
import { revisionOf } from '../vault/index.ts';
import { needsStamps } from './stamp-edits.ts';

const [old, now] = [revisionOf(Buffer.from('old')), revisionOf(Buffer.from('now'))];
const [monday, friday] = [localTime(1_752_480_000_000), localTime(1_752_825_600_000)];
const seen = { revision: old, updated: monday };

describe('stamps are needed', () => {
  it.each([
    ['for other words under the old date', { revision: now, updated: monday, hasRightTokens: true }, seen],
    ['for other words of another length', { revision: now, updated: monday, hasRightTokens: false }, seen],
    [
      'where a person set the date and not the tokens',
      { revision: now, updated: friday, hasRightTokens: false },
      seen,
    ],
    ['for a new text without stamps', { revision: now, updated: null, hasRightTokens: false }, undefined],
    [
      'for a new text that happens to be right about its tokens',
      { revision: now, updated: null, hasRightTokens: true },
      undefined,
    ],
    ['where the date was taken out', { revision: now, updated: null, hasRightTokens: true }, seen],
  ])('%s', (_, file, last) => {
    expect(needsStamps(file, last, false)).toBe(true);
  });
});

describe('stamps are left alone', () => {
  it.each([
    [
      'where nothing but times changed',
      { revision: old, updated: monday, hasRightTokens: false },
      seen,
      true,
    ],
    [
      'where another machine has set them',
      { revision: now, updated: friday, hasRightTokens: true },
      seen,
      false,
    ],
    [
      'in a new text that came stamped',
      { revision: now, updated: friday, hasRightTokens: true },
      undefined,
      false,
    ],
    [
      'in a text that was only moved',
      { revision: old, updated: null, hasRightTokens: false },
      undefined,
      true,
    ],
  ])('%s', (_, file, last, isKnownElsewhere) => {
    expect(needsStamps(file, last, isKnownElsewhere)).toBe(false);
  });
});
