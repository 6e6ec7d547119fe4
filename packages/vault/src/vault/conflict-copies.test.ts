import { describe, expect, it } from 'vitest';
import { areVersions, parseCopyName } from './conflict-copies.ts';

const beside = new Set(['plan.md', '2026-07-14.md', 'plan (draft).md', 'été.md']);
const originalOf = (name: string) => parseCopyName(name, (other) => beside.has(other));

describe('the name of a conflict copy', () => {
  it.each([
    ['plan.sync-conflict-20260714-183000-ABCDEFG.md', 'plan.md'],
    ['plan.sync-conflict-20260714-183000-ABCDEFG.sync-conflict-20260715-070000-QWERTY2.md', 'plan.md'],
    ["plan (Anna's conflicted copy 2026-07-14).md", 'plan.md'],
    ['plan (Laptop conflicted copy 2026-07-14 2).md', 'plan.md'],
    ['plan (Copie en conflit de Portable 2026-07-14).md', 'plan.md'],
    ['plan (In Konflikt stehende Kopie von Laptop 2026-07-14).md', 'plan.md'],
    ['plan (Laptop の競合コピー 2026-07-14).md', 'plan.md'],
    ['plan (conflicted copy 2026-07-14 183000).md', 'plan.md'],
    ['plan (Conflicted copy laptop 202607141830).md', 'plan.md'],
    ['plan (Case Conflict).md', 'plan.md'],
    ['plan_conflict-20260714-183000.md', 'plan.md'],
    ['plan (draft) (conflicted copy 2026-07-14 183000).md', 'plan (draft).md'],
    ['2026-07-14.sync-conflict-20260714-183000-ABCDEFG.md', '2026-07-14.md'],
    ['été (conflicted copy 2026-07-14 183000).md', 'été.md'],
  ])('is recognized with certainty: %s', (name, original) =>
    expect(originalOf(name)).toEqual({ original, isCertain: true }),
  );

  it.each([
    ['plan 2.md', 'plan.md'],
    ['plan (1).md', 'plan.md'],
    ['plan-DESKTOP-ABC123.md', 'plan.md'],
    ['plan-LAPTOP-9QX2R7AB-2.md', 'plan.md'],
    ['plan 2.sync-conflict-20260714-183000-ABCDEFG.md', 'plan.md'],
  ])('is recognized without certainty if a person may have chosen it: %s', (name, original) =>
    expect(originalOf(name)).toEqual({ original, isCertain: false }),
  );

  it.each([
    'other.sync-conflict-20260714-183000-ABCDEFG.md',
    'plan.sync-conflict-ideas.md',
    'plan (conflict copy ideas).md',
    'plan 1.md',
    'plan 2026.md',
    'plan (2026).md',
    'plan-desktop-abc123.md',
    'plan.md',
    'plan.sync-conflict-20260714-183000-ABCDEFG.png',
    '.sync-conflict-20260714-183000-ABCDEFG.md',
  ])('is not confused with a similar name: %s', (name) => expect(originalOf(name)).toBeNull());
});

describe('areVersions', () => {
  const lines = (...names: string[]): string => `${names.join('\n\n')}\n`;

  it('is true when most lines of the shorter note are in both', () => {
    expect(areVersions(lines('a', 'b', 'c', 'd'), lines('a', 'b', 'c', 'x', 'y', 'z'))).toBe(true);
  });

  it('is false when notes share only a template or too few lines, or are identical', () => {
    expect(
      areVersions(
        lines('# Meeting', '## Who', '## What', 'a', 'b'),
        lines('# Meeting', '## Who', '## What', 'c', 'd'),
      ),
    ).toBe(false);
    expect(areVersions(lines('a', 'b'), lines('a', 'b', 'c'))).toBe(false);
    expect(areVersions(lines('a', 'b', 'c'), lines('a', 'b', 'c'))).toBe(false);
  });
});
