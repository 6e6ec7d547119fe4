import { fold } from './wanted.ts';

const words: readonly (readonly [number, string])[] = [
  [1, 'one un une ein eine einen einem einer'],
  [2, 'two deux zwei'],
  [3, 'three trois drei'],
  [4, 'four quatre vier'],
  [5, 'five cinq funf'],
  [6, 'six sechs'],
  [7, 'seven sept sieben'],
  [8, 'eight huit acht'],
  [9, 'nine neuf neun'],
  [10, 'ten dix zehn'],
  [11, 'eleven onze elf'],
  [12, 'twelve douze zwolf dozen douzaine dutzend'],
  [13, 'thirteen treize dreizehn'],
  [14, 'fourteen quatorze vierzehn'],
  [15, 'fifteen quinze funfzehn'],
  [16, 'sixteen seize sechzehn'],
  [17, 'seventeen siebzehn'],
  [18, 'eighteen achtzehn'],
  [19, 'nineteen neunzehn'],
  [20, 'twenty vingt zwanzig'],
  [30, 'thirty trente dreissig dreißig'],
  [40, 'forty quarante vierzig'],
  [50, 'fifty cinquante funfzig'],
  [60, 'sixty soixante sechzig'],
  [70, 'seventy siebzig'],
  [80, 'eighty achtzig'],
  [90, 'ninety neunzig'],
  [100, 'hundred cent hundert'],
  [1000, 'thousand mille tausend'],
];
const numberOfWord = new Map(
  words.flatMap(([number, names]) => names.split(' ').map((name) => [name, number] as const)),
);

/** Every number in digits, as it stands and as what it may mean: `1,200` is 1200 or 1.2. */
export function numbersIn(text: string): { written: string; meanings: number[] }[] {
  const found = text.matchAll(/\d{1,3}(?:[.,'’\u00a0\u202f ]\d{3})+(?!\d)(?:[.,]\d+)?|\d+(?:[.,]\d+)?/gu);
  return [...found].map(([written]) => ({ written, meanings: meaningsOf(written) }));
}

/** Numbers that a text says in words, in English, French or German; of `twenty-four` 20, 4 and 24. */
export function numbersInWords(text: string): number[] {
  const said = (fold(text).match(/\p{L}+/gu) ?? []).map((word) => numberOfWord.get(word));
  return said.flatMap((number, index) => {
    const next = said[index + 1];
    if (number === undefined) return [];
    return number >= 20 && number <= 90 && next !== undefined && next < 20
      ? [number, number + next]
      : [number];
  });
}

function meaningsOf(written: string): number[] {
  const decimal = Number(written.replace(',', '.'));
  const [, whole, fraction] = /^(\d{1,3}(?:[.,'’\s]\d{3})+)(?:[.,](\d+))?$/u.exec(written) ?? [];
  if (whole === undefined) return [decimal];
  const grouped = Number(`${whole.replaceAll(/\D/g, '')}.${fraction ?? 0}`);
  return Number.isNaN(decimal) ? [grouped] : [grouped, decimal];
}
