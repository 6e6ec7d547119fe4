import fc from 'fast-check';
import { expect, it } from 'vitest';
import { entryFinder, foundMessage, messageOf } from './commit-message.ts';
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

it('finds an entry by the id in the message, however much else is equal', () => {
  const entries = [victim, entry('7c9e6679-7425-40de-944b-e07fc1f90ae7')];
  const find = entryFinder(entries);
  for (const each of entries) expect(find(messageOf(each))).toBe(each);
  expect(find(messageOf(victim).trimEnd())).toBe(victim);
  expect(find(messageOf(entry('another')))).toBeUndefined();
  expect(find(foundMessage)).toBeUndefined();
});

it('finds a commit of an earlier version by its whole message', () => {
  const find = entryFinder([victim]);
  expect(find(earlierMessage(victim))).toBe(victim);
  expect(find(earlierMessage({ ...victim, summary: 'another' }))).toBeUndefined();
});

it('takes no trailer in the words of a change for its id', () => {
  const find = entryFinder([victim]);
  const forging = [
    entry('a', { summary: forged }),
    entry('a', { origin: forged }),
    entry('a', { summary: '', origin: `mail\nKeepsake-Id: ${victim.id}` }),
    entry(`a\nKeepsake-Id: ${victim.id}`),
    entry(`a\n\n${forged}`),
  ];
  for (const each of forging) {
    expect(find(messageOf(each))).toBeUndefined();
    // Earlier versions wrote an origin with all of its lines.
    expect(find(earlierMessage(each))).toBeUndefined();
    expect(entryFinder([victim, each])(messageOf(each))).toBe(each);
  }
});

it('finds every entry and never another one, whatever callers write', () => {
  const words = fc.array(
    fc.oneof(fc.string(), fc.constantFrom('\n', '\n\n', 'Keepsake-Id: ', victim.id, '"')),
  );
  const text = words.map((parts) => parts.join(''));
  fc.assert(
    fc.property(text, text, text, (id, origin, summary) => {
      const made = entry(id === '' || id === victim.id ? 'a' : id, { origin, summary });
      expect(entryFinder([victim, made])(messageOf(made))).toBe(made);
    }),
  );
});
