import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entryFinder, baselineMessage, formatCommitMessage } from './commit-message.ts';
import type { JournalEntry } from './journal-entry.ts';

const entry = (id: string, more: Partial<JournalEntry> = {}): JournalEntry => ({
  id,
  at: 1_000,
  origin: 'mail',
  summary: 'a change',
  state: 'applied',
  ...more,
});
const earlierMessage = ({ id, origin, summary }: JournalEntry): string =>
  `${summary}\n\nKeepsake-Update: ${id}\nKeepsake-Origin: ${origin}\n`;
const victim = entry('0f8fad5b-d9cb-469f-a165-70867728950e');
const forged = `x\n\nKeepsake-Origin: mail\nKeepsake-Id: ${victim.id}\n`;

it('an entry is found by the id in the commit message even if everything else is equal', () => {
  const entries = [victim, entry('7c9e6679-7425-40de-944b-e07fc1f90ae7')];
  const find = entryFinder(entries);
  for (const each of entries) expect(find(formatCommitMessage(each))).toBe(each);
  expect(find(formatCommitMessage(victim).trimEnd())).toBe(victim);
  expect(find(formatCommitMessage(entry('another')))).toBeUndefined();
  expect(find(baselineMessage)).toBeUndefined();
});

it('an entry is found by the whole message of a commit from an earlier version', () => {
  const find = entryFinder([victim]);
  expect(find(earlierMessage(victim))).toBe(victim);
  expect(find(earlierMessage({ ...victim, summary: 'another' }))).toBeUndefined();
});

it('a forged trailer in a summary or origin is not taken for the id', () => {
  const find = entryFinder([victim]);
  const forging = [
    entry('a', { summary: forged }),
    entry('a', { origin: forged }),
    entry('a', { summary: '', origin: `mail\nKeepsake-Id: ${victim.id}` }),
    entry(`a\nKeepsake-Id: ${victim.id}`),
    entry(`a\n\n${forged}`),
  ];
  for (const each of forging) {
    expect(find(formatCommitMessage(each))).toBeUndefined();
    // Earlier versions wrote an origin with all its lines.
    expect(find(earlierMessage(each))).toBeUndefined();
    expect(entryFinder([victim, each])(formatCommitMessage(each))).toBe(each);
  }
});

it('exactly the right entry is found for arbitrary ids, origins and summaries', () => {
  const words = fc.array(
    fc.oneof(fc.string(), fc.constantFrom('\n', '\n\n', 'Keepsake-Id: ', victim.id, '"')),
  );
  const text = words.map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, text, (id, origin, summary) => {
      const made = entry(id === '' || id === victim.id ? 'a' : id, { origin, summary });
      expect(entryFinder([victim, made])(formatCommitMessage(made))).toBe(made);
    }),
  );
});
