import { describe, expect, it } from 'vitest';
import type { VaultPath } from '../../vault/index.ts';
import { startPosition, splitInput, estimateTokens } from './split-input.ts';
import type { InputPart, InputText } from './split-input.ts';

const path = 'inbox/2025-07-14-talk/original.md' as VaultPath;
const source = (...lines: string[]): InputText => ({ path, lines });
const words = (count: number, word = 'word'): string => Array.from({ length: count }, () => word).join(' ');

/** The lines of all parts, with split lines joined again. */
function linesOf(parts: readonly InputPart[]): string[] {
  const lines = new Map<number, string>();
  for (const { text } of parts)
    for (const [, number, line] of text.matchAll(/^ *(\d+) *\| ?(.*)$/gm))
      lines.set(Number(number), (lines.get(Number(number)) ?? '') + (line ?? ''));
  return [...lines.values()];
}

/** The first line of each part except the first. */
const beginnings = (parts: readonly InputPart[]): string[] =>
  parts.slice(1).map(({ text }) => /\| ?(.*)/.exec(text)?.[1] ?? '');

describe('an input', () => {
  it('is one part if it fits', () => {
    const parts = splitInput([source('one', 'two')], startPosition, 1000);
    expect(parts).toEqual([{ text: expect.stringContaining('(lines 1-2 of 2)'), next: null }]);
  });

  it('is split so that every line is in one part, in order and with its number', () => {
    const lines = Array.from({ length: 500 }, (_, index) => `${index} ${words(index % 17)}`.trim());
    const parts = splitInput([source(...lines)], startPosition, 300);
    expect(parts.length).toBeGreaterThan(10);
    expect(linesOf(parts)).toEqual(lines);
    for (const { text } of parts) expect(text.length).toBeLessThanOrEqual(300 * 4 + 200);
  });

  it.each([
    ['a heading', ['## Second', '', words(20)], '## Second'],
    ['a speaker', ['[00:12:03] Notary: yes', words(20)], '[00:12:03] Notary: yes'],
    ['a paragraph', ['', 'A new paragraph', words(20)], 'A new paragraph'],
  ])('is split preferably at %s', (_what, middle, expected) => {
    const lines = [
      ...Array.from({ length: 8 }, () => words(10)),
      ...middle,
      ...Array.from({ length: 4 }, () => words(10)),
    ];
    expect(beginnings(splitInput([source(...lines)], startPosition, 150))[0]).toBe(expected);
  });

  it('is split at a heading rather than at a later paragraph', () => {
    const lines = [words(90), '# A', words(30), '', 'B', words(80)];
    expect(beginnings(splitInput([source(...lines)], startPosition, 200))[0]).toBe('# A');
  });

  it('with a single long line is split between sentences without losing text', () => {
    const line = Array.from({ length: 400 }, (_, index) => `Sentence number ${index}.`).join(' ');
    const parts = splitInput([source(line)], startPosition, 200);
    expect(parts.length).toBeGreaterThan(5);
    expect(linesOf(parts).join('')).toBe(line);
    for (const start of beginnings(parts)) expect(start).toMatch(/^Sentence/);
  });

  it('without spaces is split, but never within a character', () => {
    const line = '😀'.repeat(5000);
    const parts = splitInput([source(line)], startPosition, 333);
    expect(linesOf(parts).join('')).toBe(line);
    expect(parts.every(({ text }) => text.isWellFormed())).toBe(true);
  });

  it('in a script with one token per character is split into parts with fewer characters', () => {
    const parts = splitInput(
      [source(...Array.from({ length: 80 }, () => '暖炉の値段は三百ユーロです。'.repeat(4)))],
      startPosition,
      300,
    );
    for (const { text } of parts)
      expect(text.match(/[\u3000-\u9fff]/g)?.length ?? 0).toBeLessThanOrEqual(300);
    const one = splitInput([source('暖炉の値段'.repeat(2000))], startPosition, 300);
    for (const { text } of one) expect(text.match(/[\u3000-\u9fff]/g)?.length ?? 0).toBeLessThanOrEqual(300);
  });

  it('can be split again from the end of an earlier part, into smaller parts', () => {
    const sources = [
      source(...Array.from({ length: 50 }, (_, index) => `a${index} ${words(30)}`)),
      source(words(900)),
    ];
    const [first] = splitInput(sources, startPosition, 400);
    const rest = splitInput(sources, first?.next ?? startPosition, 100);
    expect(rest.length).toBeGreaterThan(10);
    const again = [first, ...rest].flatMap((part) => (part ? [...part.text.matchAll(/\ba\d+\b/g)] : []));
    expect(again.map(([name]) => name)).toEqual(Array.from({ length: 50 }, (_, index) => `a${index}`));
  });

  it('is measured with its line numbers, as it is displayed', () => {
    expect(estimateTokens([source(words(1000))])).toBeGreaterThan(1000);
    expect(estimateTokens([])).toBe(0);
  });
});
