import { z } from 'zod';

/** The English sentence for each code. Other languages have one of their own: `web/text/`. */
const sentences = {
  'deletes-files': 'it deletes {count} files',
  'removes-half': 'it removes more than half of {path}',
  'removes-text': 'it removes {count} characters of text that are nowhere else',
  'files-an-hour': 'with it, {count} files would be deleted within an hour',
  'text-an-hour': 'with it, {count} characters of text would be removed within an hour',
  instructions: 'it changes {path}, which other AI tools take for instructions',
  'loads-from-elsewhere': 'it puts into {path} what an editor loads from elsewhere ({address})',
  'word-of-others': 'it changes {path} on the word of somebody else than you',
  'undoes-others': 'it takes back what somebody else made',
  undecided: 'it waits for a decision',
  'ended-meanwhile': 'Keepsake ended while it worked on this, the last time of {count}',
  'no-item': 'there is no inbox item {item}; see: keepsake inbox',
  'broke-off': '{model} broke off in the middle of its answer',
  unreachable: '{address} cannot be reached or broke off ({problem})',
  silent: '{model} at {address} was silent for too long',
  'other-answer': '{model} at {address} sent something else than was asked for',
  answered: '{address} answered {status}',
  'no-model-chosen': 'no model is chosen for the agents',
  'no-key': 'there is no key for {provider}',
  'full-bytes': 'the vault is full: its files may have {count} bytes together',
  'full-files': 'the vault is full: it may have {count} files',
  'many-requests': 'the vault may have {count} requests per minute',
  'tokens-today': 'the {count} tokens of models that the vault has per day are used up',
  'many-searches': 'the vault may have {count} searches at the same time',
  /** Words without a code, as those of the system. */
  other: '{text}',
} as const;

export type ReasonCode = keyof typeof sentences;
type Names<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;
type Values<Code extends ReasonCode> = Record<Names<(typeof sentences)[Code]>, string | number>;

/** A reason as it is stored. A code that a newer version has stored is shown as it is. */
const storedReason = z.object({
  code: z.string(),
  values: z.record(z.string(), z.union([z.string(), z.number()])),
  hint: z.string().optional(),
});

/** Why something is held, fails or is missing. `text` is made of the other fields and never stored. */
export const reason = z.object({
  code: storedReason.shape.code.describe('Which of the known reasons; other for words without a code'),
  values: storedReason.shape.values.describe('What the sentence names: a path, a count, an address'),
  hint: z.string().describe('What to do about it, in English; empty where there is no advice'),
  text: z.string().describe('All of it as an English sentence'),
});

export type Reason = z.infer<typeof reason>;
export type StoredReason = z.infer<typeof storedReason>;

export function reasonFor<Code extends ReasonCode>(code: Code, values: Values<Code>, hint = ''): Reason {
  return withText({ code, values, hint });
}

/** A reason that has no code. */
export function otherReason(text: string): Reason {
  return reasonFor('other', { text });
}

/** The same reason, with what to do about it. */
export function withHint({ code, values }: Reason, hint: string): Reason {
  return withText({ code, values, hint });
}

export function toStoredReason({ code, values, hint }: Reason): StoredReason {
  return { code, values, ...(hint !== '' && { hint }) };
}

/** `stored` is what `toStoredReason` gave, or its JSON. */
export function fromStoredReason(stored: unknown): Reason {
  const {
    code,
    values,
    hint = '',
  } = storedReason.parse(typeof stored === 'string' ? JSON.parse(stored) : stored);
  return withText({ code, values, hint });
}

function withText({ code, values, hint }: Omit<Reason, 'text'>): Reason {
  const template = Object.hasOwn(sentences, code) ? sentences[code as ReasonCode] : code;
  const sentence = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? value.toLocaleString('en') : value;
  });
  return { code, values, hint, text: hint === '' ? sentence : `${sentence}; ${hint}` };
}
