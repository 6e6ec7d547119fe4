import { describe, expect, test } from 'vitest';
import { asksToDrop } from './asks-to-drop.ts';

describe('an answer asks to drop the item', () => {
  test.each([
    'Drop it, I do not need it.',
    'no, thanks',
    'Please forget it',
    'Forget it.',
    'You can delete this.',
    'I don’t need it.',
    'Never mind.',
    'It is no longer needed.',
    'That was a wrong number. Throw it away, there is nothing to keep.',
    'Laisse tomber.',
    'Oublie ça, plus besoin.',
    'Supprime-le',
    'Non, c’est de la publicité. Tu peux jeter.',
    'À jeter',
    'Il n’y a rien à garder.',
    'Vergiss es.',
    'Nein, weg damit.',
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
    'No need to ask, it is the garden.',
    'N’oublie pas : le jardin.',
    'Ne le jette pas.',
    'Non-fiction shelf',
    'Vergiss nicht: der Garten.',
    'Nicht löschen.',
    'Nonna’s recipe',
    // A question such as “Is it for the garden?” is answered like this, too.
    'No.',
    'Non',
    'Nein.',
    'No, it is about the house.',
    'Nothing to do with the garden, it is the house.',
    'Rien à voir avec le jardin, c’est la maison.',
    'Cancel the gym membership.',
    'Remove the wheels before winter.',
    'Drop the second line and keep the first.',
    'Drop it, but keep the number.',
    'Drop it; I owe Marta 75 euros.',
    'It is the garden one, thanks.',
    'Never mind, it is for the flat.',
    'Should I drop it?',
  ])('not if it says “%s”', (answer) => {
    expect(asksToDrop(answer)).toBe(false);
  });
});
