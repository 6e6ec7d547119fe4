import { formatPath } from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';
import type { Candidate, CandidateKind, SourceLine } from './candidate.ts';

/** A proposal with its number in its inbox item. */
export type NumberedProposal = { number: number; proposal: Candidate };

/** The name of the inbox item with the proposals of a day, such as 2025-07-14. */
export function tidyItemName(day: string): string {
  return `${day}-tidying`;
}

export function isTidyItem(item: string): boolean {
  return /^\d{4}-\d{2}-\d{2}-tidying$/.test(item);
}

type KindTexts = {
  /** The question to the user. */
  question: string;
  /** What a yes does. */
  effect: string;
  /** The instruction to the update agent. `target` and `evidence` are quoted lines with their places. */
  instruction: (target: string, evidence: string) => string;
};

type ItemTexts = {
  title: string;
  /** `item` is the name of the inbox item. */
  intro: (item: string) => string;
  cost: (cost: string) => string;
  effect: string;
  /** How the change is recorded. */
  record: string;
  answered: (confirmed: readonly string[], declined: number, gone: number) => string;
  kinds: Record<CandidateKind, KindTexts>;
};

const texts: Record<Language, ItemTexts> = {
  en: {
    title: '# Tidying',
    intro: (item) =>
      `Nothing was changed. Answer each question with yes or no: \`keepsake inbox answer ${item} "1 yes 2 no"\`, or just \`yes\` or \`no\` for all.`,
    cost: (cost) => `Cost of tidying today: ${cost}.`,
    effect: 'If yes:',
    record: 'Change nothing else, except for the changelog entry: its heading starts with “Tidied: ”.',
    answered: (confirmed, declined, gone) =>
      [
        `Tidying: ${confirmed.length} confirmed, ${declined} declined.`,
        ...(confirmed.length === 0 ? [] : [`Being filed as ${confirmed.join(', ')}.`]),
        ...(gone === 0 ? [] : [`${gone} no longer apply, because their lines have changed.`]),
      ].join(' '),
    kinds: {
      done: {
        question: 'Is this task done?',
        effect: 'the task leaves its list.',
        instruction: (target, evidence) =>
          `The task ${target} is done or no longer needed, as ${evidence} says. Remove this task from its list, with its details.`,
      },
      contradiction: {
        question: 'Is this line out of date?',
        effect: 'the line is corrected to agree with the entry.',
        instruction: (target, evidence) =>
          `The line ${target} is out of date: ${evidence} is true now. Correct that line so that it agrees, and keep the rest of the file.`,
      },
      duplicate: {
        question: 'Do these lines say the same thing?',
        effect: 'the second stays, with the details of both; the first is removed.',
        instruction: (target, evidence) =>
          `${target} and ${evidence} say the same thing. Remove the first, and add details that only the first has to the second.`,
      },
      overview: {
        question: 'Is this line of the overview out of date?',
        effect: 'the line is brought up to date.',
        instruction: (target, evidence) =>
          `The line ${target} of the overview is out of date: ${evidence} came later. Bring that line up to date, and keep the rest of the overview.`,
      },
    },
  },
  fr: {
    title: '# Rangement',
    intro: (item) =>
      `Rien n’a été modifié. Répondez à chaque question par oui ou non : \`keepsake inbox answer ${item} "1 oui 2 non"\`, ou simplement \`oui\` ou \`non\` pour toutes.`,
    cost: (cost) => `Coût du rangement aujourd’hui : ${cost}.`,
    effect: 'Si oui :',
    record: 'Ne change rien d’autre, sauf l’entrée du journal : son titre commence par “Rangé : ”.',
    answered: (confirmed, declined, gone) =>
      [
        `Rangement : ${confirmed.length} acceptée(s), ${declined} refusée(s).`,
        ...(confirmed.length === 0 ? [] : [`Classement en cours : ${confirmed.join(', ')}.`]),
        ...(gone === 0 ? [] : [`${gone} sans objet, car les lignes ont changé.`]),
      ].join(' '),
    kinds: {
      done: {
        question: 'Cette tâche est-elle faite ?',
        effect: 'la tâche quitte sa liste.',
        instruction: (target, evidence) =>
          `La tâche ${target} est faite ou n’est plus nécessaire, comme le dit ${evidence}. Retire cette tâche de sa liste, avec ses détails.`,
      },
      contradiction: {
        question: 'Cette ligne est-elle périmée ?',
        effect: 'la ligne est corrigée d’après l’entrée.',
        instruction: (target, evidence) =>
          `La ligne ${target} est périmée : ${evidence} est vrai maintenant. Corrige cette ligne en conséquence et garde le reste du fichier.`,
      },
      duplicate: {
        question: 'Ces lignes disent-elles la même chose ?',
        effect: 'la seconde reste, avec les détails des deux ; la première est retirée.',
        instruction: (target, evidence) =>
          `${target} et ${evidence} disent la même chose. Retire la première et ajoute à la seconde les détails que seule la première contient.`,
      },
      overview: {
        question: 'Cette ligne de la vue d’ensemble est-elle périmée ?',
        effect: 'la ligne est mise à jour.',
        instruction: (target, evidence) =>
          `La ligne ${target} de la vue d’ensemble est périmée : ${evidence} est venu après. Mets cette ligne à jour et garde le reste de la vue d’ensemble.`,
      },
    },
  },
};

/** The text of the inbox item. `cost` is formatted for display; null if it is unknown. */
export function formatTidyItem(
  item: string,
  proposals: readonly NumberedProposal[],
  { language, cost }: { language: Language; cost: string | null },
): string {
  const text = texts[language];
  const questions = proposals.map(({ number, proposal: { kind, target, evidence } }) =>
    [
      `## ${number}. ${text.kinds[kind].question}`,
      [target, ...evidence].map(formatQuote).join('\n'),
      `${text.effect} ${text.kinds[kind].effect}`,
    ].join('\n\n'),
  );
  const parts = [text.title, text.intro(item), ...(cost === null ? [] : [text.cost(cost)]), ...questions];
  return `${parts.join('\n\n')}\n`;
}

function formatQuote({ path, line, text }: SourceLine): string {
  return `- \`${formatPath(path)}:${line}\`: ${quote(text)}`;
}

/** Entries that record an answer. They report no news, so tidying does not read them. */
export const tidiedEntry = /^(?:Tidied|Rangé)\s?:/;

/** The instruction that a yes gives to the update agent. */
export function formatInstruction({ kind, target, evidence }: Candidate, language: Language): string {
  const name = ({ path, line, text }: SourceLine): string => `${quote(text)} (${formatPath(path)}:${line})`;
  const { kinds, record } = texts[language];
  return `${kinds[kind].instruction(name(target), evidence.map(name).join(', '))} ${record}`;
}

/** Without the marks of headings and lists, so that a quoted line cannot become a heading of the item. */
function quote(text: string): string {
  return `“${text.trim().replace(/^(?:#{1,6}|[-*+](?: \[ \])?)\s+/, '')}”`;
}

/** The sentence that describes what an answer did. */
export function formatAnswered(
  done: { confirmed: readonly string[]; declined: number; gone: number },
  language: Language,
): string {
  return texts[language].answered(done.confirmed, done.declined, done.gone);
}

export type TidyAnswer = 'yes' | 'no';

const answerWords: Record<string, TidyAnswer> = {
  yes: 'yes',
  y: 'yes',
  oui: 'yes',
  o: 'yes',
  ok: 'yes',
  no: 'no',
  n: 'no',
  non: 'no',
};

/**
 * The answers by number: `1 yes 2 no`, `yes 1 3, no 2`, `1y 2n`, or one word for all. Null for any other text, which is for
 * the update agent.
 */
export function parseTidyAnswer(text: string, numbers: readonly number[]): Map<number, TidyAnswer> | null {
  const tokens = text.toLowerCase().match(/\d+|\p{L}+/gu) ?? [];
  if (tokens.length === 0 || /[^\d\p{L}\s,;:.=!()-]/u.test(text)) return null;
  const parsed = tokens.map((token) => (/^\d/.test(token) ? Number(token) : (answerWords[token] ?? null)));
  if (parsed.includes(null)) return null;
  const [only] = parsed;
  if (parsed.length === 1 && typeof only === 'string')
    return new Map(numbers.map((number) => [number, only]));
  const isWordFirst = typeof only === 'string';
  const answers = new Map<number, TidyAnswer>();
  let waiting: number[] = [];
  let word: TidyAnswer | null = null;
  for (const token of parsed) {
    if (typeof token === 'number') {
      if (!numbers.includes(token) || answers.has(token)) return null;
      if (isWordFirst && word !== null) answers.set(token, word);
      else waiting.push(token);
    } else if (token !== null) {
      word = token;
      if (!isWordFirst && waiting.length === 0) return null;
      for (const number of waiting) answers.set(number, token);
      waiting = [];
    }
  }
  return waiting.length === 0 && answers.size > 0 ? answers : null;
}
