import { describe, expect, it } from 'vitest';
import { areVersions, copyName } from './conflict-copies.ts';

const beside = new Set(['plan.md', '2026-07-14.md', 'plan (draft).md', 'été.md']);
const originalOf = (name: string) => copyName(name, (other) => beside.has(other));

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
  ])('can be nothing else: %s', (name, original) =>
    expect(originalOf(name)).toEqual({ original, isCertain: true }),
  );

  it.each([
    ['plan 2.md', 'plan.md'],
    ['plan (1).md', 'plan.md'],
    ['plan-DESKTOP-ABC123.md', 'plan.md'],
    ['plan-LAPTOP-9QX2R7AB-2.md', 'plan.md'],
    ['plan 2.sync-conflict-20260714-183000-ABCDEFG.md', 'plan.md'],
  ])('may be one that a person gave: %s', (name, original) =>
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
  ])('is not every name that looks a little like it: %s', (name) => expect(originalOf(name)).toBeNull());
});

describe('two notes', () => {
  const lines = (...names: string[]): string => `${names.join('\n\n')}\n`;

  it('are versions of one when most lines of the shorter are in both', () => {
    expect(areVersions(lines('a', 'b', 'c', 'd'), lines('a', 'b', 'c', 'x', 'y', 'z'))).toBe(true);
  });

  it('are two when they only share a form, too little, or everything', () => {
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
