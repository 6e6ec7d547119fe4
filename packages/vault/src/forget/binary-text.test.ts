import { describe, expect, it } from 'vitest';
import { costRatio } from '../../../../test/cost-ratio.ts';
import { randomNumbers } from '../../../../test/random-numbers.ts';
import { extractUtf8 } from './binary-text.ts';
import { createRedactor } from './redactor.ts';
import type { Redactor } from './redactor.ts';

const redactorOf = (phrase: string): Redactor =>
  createRedactor({ phrases: [phrase], isBySentence: false, contents: [], salt: 'salt', language: 'en' });
function randomBytes(length: number, seed: number): Buffer {
  const random = randomNumbers(seed);
  return Buffer.from(Uint8Array.from({ length }, () => Math.floor(random() * 256)));
}
/** Bytes that are not text, with something in the middle. */
const around = (bytes: Buffer): Buffer =>
  Buffer.concat([
    randomBytes(5_000, 1),
    Buffer.from([0xff]),
    bytes,
    Buffer.from([0xff]),
    randomBytes(5_000, 2),
  ]);

describe('the search in bytes that are not text', () => {
  it.each([
    ['UTF-8', Buffer.from('the Blue  KEY')],
    [
      'decomposed and full-width characters',
      Buffer.from('ｔｈｅ blue\nkeý'.normalize('NFD').replace('\u0301', '')),
    ],
    ['UTF-16', Buffer.from('the blue key', 'utf16le')],
    ['Latin-1', Buffer.from('the blue key', 'latin1')],
  ])('finds a phrase in %s', (_, bytes) => {
    expect(redactorOf('the blue key').matchesBytes(around(bytes))).toBe(true);
    expect(redactorOf('the blue key').matchesBytes(around(bytes.subarray(0, -2)))).toBe(false);
  });

  it('finds accents in Latin-1 in any letter case', () => {
    expect(
      redactorOf('Crème brûlée ½ weiß').matchesBytes(around(Buffer.from(' CRÈME brÛLéE ½ WEIß ', 'latin1'))),
    ).toBe(true);
  });

  it('finds one character that stands for many', () => {
    const phrase = 'ﷺ'.normalize('NFKC');
    expect(redactorOf(phrase).matchesBytes(around(Buffer.from('ﷺ')))).toBe(true);
  });

  it('keeps every run of characters that could contain a phrase, and nothing else', () => {
    for (let seed = 1; seed <= 20; seed += 1) {
      const bytes = randomBytes(20_000, seed);
      const runs = bytes.toString('utf8').split('\ufffd');
      const extracted = extractUtf8(bytes, 1).split('\ufffd');
      expect(extracted.filter(Boolean)).toEqual(runs.filter(Boolean));
      const kept = new Set(extractUtf8(bytes, 6).split('\ufffd'));
      for (const run of runs) if (run.normalize('NFKC').length >= 6) expect(kept).toContain(run);
    }
  });

  it.each(['zebrafinch-7431', 'crème brûlée à la carte'])(
    'costs about as much as decoding them: %s',
    async (phrase) => {
      const bytes = randomBytes(1_000_000, 3);
      const redactor = redactorOf(phrase);
      const ratio = await costRatio(
        () => redactor.matchesBytes(bytes),
        () => bytes.toString('utf8'),
      );
      expect(ratio).toBeLessThan(5);
    },
  );
});
