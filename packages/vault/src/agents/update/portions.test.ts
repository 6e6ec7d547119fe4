import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../../vault/index.ts';
import { beginning, cutPortions, tokensShown } from './portions.ts';
import type { Portion, Source } from './portions.ts';

const path = 'inbox/2025-07-14-talk/original.md' as VaultPath;
const source = (...lines: string[]): Source => ({ path, lines });
const words = (count: number, word = 'word'): string => Array.from({ length: count }, () => word).join(' ');

/** The lines of a portion, put together again where they were cut. */
function linesOf(portions: readonly Portion[]): string[] {
  const lines = new Map<number, string>();
  for (const { text } of portions)
    for (const [, number, line] of text.matchAll(/^ *(\d+) *\| ?(.*)$/gm))
      lines.set(Number(number), (lines.get(Number(number)) ?? '') + (line ?? ''));
  return [...lines.values()];
}

/** The first line of each portion but the first. */
const beginnings = (portions: readonly Portion[]): string[] =>
  portions.slice(1).map(({ text }) => /\| ?(.*)/.exec(text)?.[1] ?? '');

describe('a long input', () => {
  it('is one portion when it fits', () => {
    const portions = cutPortions([source('one', 'two')], beginning, 1000);
    expect(portions).toEqual([{ text: expect.stringContaining('(lines 1-2 of 2)'), next: null }]);
  });

  it('is cut so that every line is in one portion, in order and with its number', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `${index} ${words(index % 17)}`.trim());
    const portions = cutPortions([source(...lines)], beginning, 300);
    expect(portions.length).toBeGreaterThan(10);
    expect(linesOf(portions)).toEqual(lines);
    for (const { text } of portions) expect(text.length).toBeLessThanOrEqual(300 * 4 + 200);
  });

  it.each([
    ['a heading', ['## Second', '', words(20)], '## Second'],
    ['a speaker', ['[00:12:03] Notary: yes', words(20)], '[00:12:03] Notary: yes'],
    ['a paragraph', ['', 'A new paragraph', words(20)], 'A new paragraph'],
  ])('is cut at %s rather than elsewhere', (_what, middle, expected) => {
    const lines = [
      ...Array.from({ length: 8 }, () => words(10)),
      ...middle,
      ...Array.from({ length: 4 }, () => words(10)),
    ];
    expect(beginnings(cutPortions([source(...lines)], beginning, 150))[0]).toBe(expected);
  });

  it('is cut at a heading even where a paragraph comes later', () => {
    const lines = [words(90), '# A', words(30), '', 'B', words(80)];
    expect(beginnings(cutPortions([source(...lines)], beginning, 200))[0]).toBe('# A');
  });

  it('of one endless line is cut behind sentences, and nothing of it is lost', () => {
    const line = Array.from({ length: 400 }, (_, index) => `Sentence number ${index}.`).join(' ');
    const portions = cutPortions([source(line)], beginning, 200);
    expect(portions.length).toBeGreaterThan(5);
    expect(linesOf(portions).join('')).toBe(line);
    for (const start of beginnings(portions)) expect(start).toMatch(/^Sentence/);
  });

  it('without any space is cut all the same, and never within a character', () => {
    const line = '😀'.repeat(5000);
    const portions = cutPortions([source(line)], beginning, 333);
    expect(linesOf(portions).join('')).toBe(line);
    expect(portions.every(({ text }) => text.isWellFormed())).toBe(true);
  });

  it('of a script whose characters are tokens is cut into fewer characters', () => {
    const portions = cutPortions(
      [source(...Array.from({ length: 80 }, () => '暖炉の値段は三百ユーロです。'.repeat(4)))],
      beginning,
      300,
    );
    for (const { text } of portions)
      expect(text.match(/[\u3000-\u9fff]/g)?.length ?? 0).toBeLessThanOrEqual(300);
    const one = cutPortions([source('暖炉の値段'.repeat(2000))], beginning, 300);
    for (const { text } of one) expect(text.match(/[\u3000-\u9fff]/g)?.length ?? 0).toBeLessThanOrEqual(300);
  });

  it('goes on where a portion ended, also in smaller portions than before', () => {
    const sources = [
      source(...Array.from({ length: 50 }, (_, index) => `a${index} ${words(30)}`)),
      source(words(900)),
    ];
    const [first] = cutPortions(sources, beginning, 400);
    const rest = cutPortions(sources, first?.next ?? beginning, 100);
    expect(rest.length).toBeGreaterThan(10);
    const again = [first, ...rest].flatMap((portion) =>
      portion ? [...portion.text.matchAll(/\ba\d+\b/g)] : [],
    );
    expect(again.map(([name]) => name)).toEqual(Array.from({ length: 50 }, (_, index) => `a${index}`));
  });

  it('is measured as it is shown', () => {
    expect(tokensShown([source(words(1000))])).toBeGreaterThan(1000);
    expect(tokensShown([])).toBe(0);
  });
});
