import { describe, expect, it } from 'vitest';
import { findUncoveredSentences, statesFact } from './coverage.ts';

const uncovered = (input: string, found: string, known: string[] = []) =>
  findUncoveredSentences({ input, found, known });

describe('a sentence of the input', () => {
  it.each([
    ['the same words', 'The plumber comes on Thursday.', 'Plumber: comes on 2026-11-19.'],
    ['a number in another form', 'The invoice is 1 250,50 €.', 'Invoice: 1250.50 €'],
    ['a number in words', 'Three keys are at the office.', 'Keys at the office: 3'],
    ['a date in another form', 'The permit is dated 27.2.2026.', 'Permit dated 27 February 2026'],
    ['an hour in the afternoon', 'The dentist can see me at 3pm.', 'Dentist at 15:00'],
    ['a grouped phone number', 'Call Paul at 06 12 34 56 78.', 'Paul: 0612345678, call him'],
    ['a duration that became a date', 'The lease ends in 3 weeks.', 'Lease ends on 2026-12-09'],
    ['a number that is said to be wrong', 'It is 61 m², not 64.', 'Surface: 61 m²'],
    ['a number that was retracted', 'It is on the 4th. No, wait, on the 9th.', 'It is on the 9th'],
    [
      'another language',
      'Le plombier passe jeudi, 80 €.',
      'The plumber comes on Thursday and it costs 80 €.',
    ],
    ['a question', 'Did I tell you about Paul and the 75 €?', ''],
  ])('is found: %s', (_, input, found) => {
    expect(uncovered(input, found)).toEqual([]);
  });

  it.each([
    ['a number is missing', 'Paul owes me 75 €.', 'Paul owes me money.'],
    ['its words are missing', 'The key is under the blue pot.', 'Buy milk.'],
    [
      'an item of a list is missing',
      'Plumber Thursday, key under pot, meter read, buy salt.',
      'Plumber, key, meter read',
    ],
    ['its only name is missing', 'The roofer comes with Marta.', 'The roofer comes with Paul.'],
    ['only a small number occurs', 'Buy 17 screws for doors.', 'Lunch on 17 November'],
    ['only part of the number occurs', 'The meter is at 4512.', 'The meter is at 45123.'],
  ])('is not found if %s', (_, input, found) => {
    expect(uncovered(input, found)).toEqual([input]);
  });

  it('is found in a few adjacent lines that were shown, but not in lines far apart', () => {
    const input = 'The committee meets on 14 April 2026 at 9:45.';
    expect(uncovered(input, '', ['12 | Committee meets: 2026-04-14, 9:45'])).toEqual([]);
    expect(uncovered(input, '', ['Committee meets.\n\n\n\n\n2026-04-14, 9:45'])).toEqual([input]);
  });

  it.each([
    ['another name', 'The roofer comes with Marta.', 'The roofer comes with Paul.'],
    ['another thing', 'Buy 2 screws for the bathroom door.', 'Buy 2 screws for the kitchen table.'],
  ])('is not known from a similar line with %s', (_, input, line) => {
    expect(uncovered(input, '', [line])).toEqual([input]);
    expect(uncovered(input, '', [input])).toEqual([]);
  });

  it.each([
    ['rdv dentiste jeudi 8h30, Dr Lemoine', '# Dentiste, Dr Lemoine\ndeadline: 2026-11-26 08:30'],
    ['Physio on Thursday 3 December at 17:30.', '# Physio\nstatus: to-do\ndeadline: 2026-12-03 17:30'],
    ['vet both cats fri 27 nov 10.15', '# Vet for both cats\ndeadline: 2026-11-27 10:15'],
    ['Le pain coûte 4 euros 20.', 'Prix du pain : 4,20 €'],
    ['Le toit coûte 24k€ au total.', 'Toit : 24 000 € au total'],
    ['Appeler Paul au 06.12.34.56.78 vendredi.', '# Appeler Paul\n06 12 34 56 78'],
    ['Le canapé a coûté mille cinquante euros.', 'Canapé : 1 050 €'],
    ['Dîner à 8h du soir chez Anne.', 'Dîner chez Anne à 20:00'],
    ['Le bureau est au 2e étage gauche.', 'Bureau : deuxième étage à gauche'],
    ['Claire a un nouveau numéro, +33 6 98 76 54 32.', 'Claire, nouveau numéro : 06 98 76 54 32'],
    ['Le toit coûte 1,2 million en tout.', 'Toit : 1 200 000 € en tout'],
    [
      'Other cat, Dashi, comes along too, same slot.',
      '# Vet appointment for both cats, Miso and Dashi\n\nDashi comes along in the same slot.',
    ],
    [
      'Also the other client, the chandlery, offers $1,150 for a website, said no.',
      '## No website for the chandlery\nOffer of 1,150 $ declined.',
    ],
  ])('%j is found in %j', (input, filed) => {
    expect(uncovered(input, filed)).toEqual([]);
  });

  it.each([
    ['rdv dentiste jeudi 8h30', '# Dentiste\ndeadline: 2026-11-26 09:30'],
    ['Le pain coûte 4 euros 20.', 'Prix du pain : 4,30 €'],
    ['Le canapé a coûté mille cinquante euros.', 'Canapé : 1 500 €'],
    ['Appeler Paul au 06.12.34.56.78 vendredi.', '# Appeler Paul\n06 12 34 56 79'],
  ])('%j is not found in %j', (input, filed) => {
    expect(uncovered(input, filed)).toEqual([input]);
  });

  it('is not known because of a sentence about another thing of the same kind', () => {
    const input = 'The parcel called kiosk6 arrived.';
    expect(uncovered(input, '', ['The parcel called kiosk5 arrived. It has 6 keys.'])).toEqual([input]);
    expect(uncovered(input, '', [input])).toEqual([]);
  });

  it('is not found in a similar sentence of the same input', () => {
    const input = [
      'The meter of the shed shows 19.',
      'The meter of the barn shows 4512.',
      'I owe 19 € to Paul.',
    ];
    expect(uncovered(input.join(' '), `${input[1]}\n${input[2]}`)).toEqual([input[0]]);
  });

  it('is checked by itself: filing two of six facts leaves four', () => {
    const input = [
      'Le plombier passe jeudi.',
      'La clé est chez Inès.',
      'Le compteur est à 4512.',
      'Il faut acheter du sel.',
      'Paul me doit 75 €.',
      'Plus de fer à partir de lundi.',
    ];
    expect(uncovered(input.join(' '), 'Plombier : passe le 2026-11-19. Compteur à 4512.')).toEqual([
      input[1],
      input[3],
      input[4],
      input[5],
    ]);
  });

  it.each([
    ['a number', 'It costs 40 €.', true],
    ['a name', 'The key is at Marie.', true],
    ['a weekday', 'No iron from Monday.', true],
    ['a task', 'I must buy salt.', true],
    ['chatter', 'The bus was late again and I was wet.', false],
    ['a header of an email', 'From: Marie Dupont', false],
    ['a signature', 'Marie Dupont', false],
  ])('states a fact or not: %s', (_, sentence, expected) => {
    expect(statesFact(sentence, 'en')).toBe(expected);
  });
});
