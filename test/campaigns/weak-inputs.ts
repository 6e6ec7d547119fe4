/** A statement with a word and a number that occur nowhere else. */
export type Fact = { word: string; number: string; sentence: string };

export type WeakInput = {
  text: string;
  facts: Fact[];
  /** Whether someone else wrote it. */
  isMail: boolean;
  /** The titles of the tasks that it says are done. */
  doneTasks: string[];
};

export type Language = 'en' | 'fr';

/** Returns an integer from 0 (inclusive) to `below` (exclusive). */
export type Chance = (below: number) => number;

/** Creates words and numbers that do not repeat within a campaign. */
export type Marks = { word: () => string; name: () => string; number: () => string; invented: () => string };

const consonants = 'bdfgklmnprstvz';
const vowels = 'aiou';

export function createMarks(): Marks {
  const next = { word: 0, number: 0, invented: 0 };
  // Words are unlike each other from their first letters on, because texts are compared by these.
  const word = (): string => {
    let left = (next.word * 6_271) % (consonants.length ** 3 * vowels.length ** 3);
    next.word += 1;
    let made = '';
    for (const letters of [consonants, vowels, consonants, vowels, consonants, vowels]) {
      made += letters[left % letters.length];
      left = Math.floor(left / letters.length);
    }
    return `${made}x`;
  };
  const name = (): string => word().replace(/^./, (letter) => letter.toUpperCase());
  return {
    word,
    name,
    // No years.
    number: () => String(3_001 + 7 * next.number++),
    invented: () => String(500_001 + 11 * next.invented++),
  };
}

type Template = (mark: string, number: string) => string;

const templates: Record<Language, { named: Template[]; plain: Template[]; short: Template[] }> = {
  en: {
    named: [
      (name, number) => `I owe ${number} euros to ${name}.`,
      (name, number) => `The phone extension of ${name} is ${number}.`,
      (name) => `The key of the cellar is with ${name}.`,
      (name) => `On Thursday the roofer brings ${name} along.`,
    ],
    plain: [
      (word, number) => `The ${word} pump costs ${number} euros.`,
      (word, number) => `The meter of the ${word} shows ${number}.`,
      (word, number) => `We need ${number} boards for the ${word} shed.`,
      (word, number) => `The contract about the ${word} has the number ${number} and ends in spring.`,
      (word, number) => `Buy ${number} screws for the ${word}.`,
    ],
    short: [(word, number) => `${word} meter ${number}`, (word, number) => `${number} ${word} screws`],
  },
  fr: {
    named: [
      (name, number) => `Je dois ${number} euros à ${name}.`,
      (name, number) => `Le poste téléphonique de ${name} est le ${number}.`,
      (name) => `La clé de la cave est chez ${name}.`,
      (name) => `Jeudi le couvreur vient avec ${name}.`,
    ],
    plain: [
      (word, number) => `La pompe ${word} coûte ${number} €.`,
      (word, number) => `Le compteur du ${word} indique ${number}.`,
      (word, number) => `Il faut ${number} planches pour la cabane ${word}.`,
      (word, number) => `Le contrat du ${word} porte le numéro ${number} et finit au printemps.`,
      (word, number) => `Acheter ${number} vis pour le ${word}.`,
    ],
    short: [(word, number) => `compteur ${word} ${number}`, (word, number) => `${number} vis ${word}`],
  },
};

const chatter: Record<Language, string[]> = {
  en: [
    'The weather was nice this morning.',
    'Nothing else happened really.',
    'Anyway, the tram was slow again.',
  ],
  fr: ['Il faisait beau ce matin.', 'Rien de spécial sinon.', 'Bref, le tram était encore lent.'],
};

function createFact({ marks, chance, language, day }: InputOptions, isShort: boolean): Fact {
  const { named, plain, short } = templates[language];
  const isNamed = !isShort && chance(4) === 0;
  const list = isShort ? short : isNamed ? named : plain;
  const template = list[chance(list.length)] ?? ((word, number) => `${word} ${number}`);
  const word = isNamed ? marks.name() : marks.word();
  // Small numbers also occur in dates.
  const small = chance(2) === 0 ? 2 + chance(29) : Number(day.slice(-2));
  const written = chance(4) === 0 ? String(small) : marks.number();
  const sentence = template(word, written);
  return { word, number: sentence.includes(written) ? written : '', sentence };
}

type InputOptions = {
  marks: Marks;
  chance: Chance;
  language: Language;
  /** The current day, as `2026-11-18`. */
  day: string;
  isMail: boolean;
  /** The minimum number of facts. */
  minFacts: number;
  /** What the input asks for besides. */
  requests?: readonly string[];
  doneTasks?: readonly string[];
};

export function createInput(options: InputOptions): WeakInput {
  const { chance, language, isMail, minFacts, requests = [], doneTasks = [] } = options;
  const isList = chance(6) === 0;
  const count = isList ? 5 : minFacts + chance(Math.max(1, 7 - minFacts));
  const facts = Array.from({ length: count }, () => createFact(options, isList));
  const sentences = facts.map(({ sentence }) => sentence);
  const done = doneTasks.map((title) =>
    language === 'fr' ? `C'est fait : ${title}.` : `This is done: ${title}.`,
  );
  const talk = chatter[language];
  const small = chance(3) === 0 ? [talk[chance(talk.length)] ?? ''] : [];
  const separator = chance(3) === 0 ? '\n' : ' ';
  const stated = isList ? [`${sentences.join(', ')}.`] : sentences;
  const body = [...stated, ...done, ...small, ...requests].join(isList ? '\n' : separator);
  return { text: isMail ? asMail(body, language) : body, facts, isMail, doneTasks: [...doneTasks] };
}

export function createChatter(chance: Chance, language: Language): WeakInput {
  const talk = chatter[language];
  return { text: talk[chance(talk.length)] ?? '', facts: [], isMail: false, doneTasks: [] };
}

function asMail(body: string, language: Language): string {
  return language === 'fr'
    ? `De : agence@agence.example\nObjet : votre dossier\n\nBonjour,\n\n${body}\n\nCordialement`
    : `From: agency@agency.example\nSubject: your file\n\nHello,\n\n${body}\n\nKind regards`;
}
