import { describe, expect, test } from 'vitest';
import { asksToDrop } from './check-filed.ts';

describe('an answer asks to drop the item', () => {
  test.each([
    'Drop it, I do not need it.',
    'No.',
    'no, thanks',
    'Please forget it',
    'I don’t need it.',
    'Never mind.',
    'Laisse tomber.',
    'Non',
    'Oublie ça, plus besoin.',
    'Supprime-le',
    'Nein.',
    'Vergiss es.',
    'Kann gelöscht werden; lösch es.',
  ])('if it says “%s”', (answer) => {
    expect(asksToDrop(answer)).toBe(true);
  });

  test.each([
    'It is the notizox one.',
    'It belongs to Norway.',
    'It is the Dropbox one.',
    'The cancelled flight to Oslo.',
    'Don’t forget it: garden.',
    'Do not delete it.',
    'N’oublie pas : le jardin.',
    'Non-fiction shelf',
    'Vergiss nicht: der Garten.',
    'Nonna’s recipe',
  ])('not if it says “%s”', (answer) => {
    expect(asksToDrop(answer)).toBe(false);
  });
});
