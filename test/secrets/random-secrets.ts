import { randomNumbers } from '../random-numbers.ts';

const alphabets = {
  mixed: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789',
  base64: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/',
  letters: 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz',
  lower: 'abcdefghijklmnopqrstuvwxyz0123456789',
  upper: 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567',
  hex: '0123456789abcdef',
  digits: '0123456789',
};

export type RandomSecrets = {
  made: (length: number, alphabet?: keyof typeof alphabets) => string;
  /** A password as a user would choose it. */
  typed: () => string;
  uuid: () => string;
};

/** Random strings; the same ones for the same seed. */
export function createRandomSecrets(seed: number): RandomSecrets {
  const random = randomNumbers(seed);
  const made: RandomSecrets['made'] = (length, alphabet = 'mixed') => {
    const from = alphabets[alphabet];
    return Array.from({ length }, () => from[Math.floor(random() * from.length)]).join('');
  };
  const styles = [
    () => `${made(5)}-7x${made(4)}!`,
    () => `Winter${made(4, 'digits')}${made(4, 'letters')}`,
    () => `${made(6, 'lower')}#${made(4, 'letters')}4`,
    () => `k9${made(10)}`,
    () => `Blue$horse_${made(3, 'digits')}x`,
  ];
  let style = 0;
  return {
    made,
    typed() {
      style += 1;
      return styles[style % styles.length]?.() ?? '';
    },
    uuid: () => [8, 4, 4, 4, 12].map((length) => made(length, 'hex')).join('-'),
  };
}
