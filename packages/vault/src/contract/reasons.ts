/** The English sentence for each code. Translations are in `web/text/`. */
const reasonTemplates = {
  'deletes-files': 'this deletes {count} files',
  'removes-half': 'this removes more than half of {path}',
  'removes-text': 'this removes {count} characters that exist nowhere else in the vault',
  'files-an-hour': '{count} files would be deleted within one hour',
  'text-an-hour': '{count} characters would be removed within one hour',
  instructions: 'this changes {path}, which other AI tools treat as instructions',
  'loads-from-elsewhere': 'this adds remote content to {path} that an editor would load ({address})',
  'removes-unnamed':
    'this removes {count} items that neither the input nor the changelog entry names: {names}',
  'removes-unrequested': 'this removes {count} items that the input does not mention: {names}',
  'removes-for-others': "this removes {names} because of someone else's words",
  'unsupported-profile': 'this adds {values} to {path}, which the input does not contain',
  'word-of-others': "this changes {path} based on someone else's words",
  'undoes-others': "this undoes someone else's change",
  'undoes-old': 'this undoes a change that is more than an hour old',
  /** Stored by earlier versions; it means whole sentences. */
  forgets:
    'this removes the sentences with these words for good, also from history, in {count} places: {words}',
  'forgets-words': 'this removes these words for good, also from history, in {count} places: {words}',
  'forgets-sentences':
    'this removes the sentences with these words for good, also from history, in {count} places: {words}',
  'forgets-and-more':
    'a request to forget something is not filed together with other text; send the request and the other text separately',
  undecided: 'a decision is needed',
  'ended-meanwhile': 'Keepsake stopped while working on this ({count} times)',
  'no-item': 'inbox item {item} not found or hidden from AI; run keepsake inbox',
  'secrets-user-only':
    'only the user decides whether secrets are kept; answer with keepsake inbox answer or in the browser',
  'secrets-elsewhere':
    'these secrets are not stored on this machine; answer on the one where they were added',
  'broke-off': '{model} stopped in the middle of its answer',
  unreachable: 'cannot reach {address} ({problem})',
  silent: '{model} at {address} did not respond in time',
  'other-answer': '{model} at {address} returned an unexpected response',
  answered: '{address} returned HTTP {status}',
  'no-model-chosen': 'no model is configured for the agents',
  'no-key': 'no API key for {provider}',
  'signed-out': 'the sign-in with {service} has ended',
  'full-bytes': 'the vault is full: limit of {count} bytes',
  'full-files': 'the vault is full: limit of {count} files',
  'many-requests': 'rate limit exceeded: {count} requests per minute',
  'tokens-today': 'the daily limit of {count} model tokens is used up',
  'many-searches': 'too many concurrent searches: limit of {count}',
  /** A message without a code, e.g. from the operating system. */
  other: '{text}',
} as const;

export type ReasonCode = keyof typeof reasonTemplates;
type Names<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;
type Values<Code extends ReasonCode> = Record<Names<(typeof reasonTemplates)[Code]>, string | number>;

/** Why something is held, failed or missing. `text` is computed from the other fields and never stored. */
export type Reason = {
  code: string;
  values: Record<string, string | number>;
  /** Empty if there is no advice. */
  hint: string;
  text: string;
};

/** The stored form of a reason. An unknown code from a newer version is shown as it is. */
export type StoredReason = Pick<Reason, 'code' | 'values'> & { hint?: string | undefined };

export function formatReason<Code extends ReasonCode>(code: Code, values: Values<Code>, hint = ''): Reason {
  return withText({ code, values, hint });
}

/**
 * Whether the reason is that the model is unavailable for now: it cannot be reached, is silent, or has an error. A
 * connection that was lost does not count, because the request itself may be what crashes the server.
 */
export function isModelUnavailable({ code, values }: Pick<Reason, 'code' | 'values'>): boolean {
  const isLost = values['problem'] === 'ECONNRESET' || values['problem'] === 'EPIPE';
  return ['unreachable', 'silent', 'answered'].includes(code) && !isLost;
}

/** Whether the reason is that words would be removed for good, and if so, whether with the sentences around them. */
export function parseForgetReason({ code }: Pick<Reason, 'code'>): { wholeSentences: boolean } | null {
  if (code === 'forgets-words') return { wholeSentences: false };
  return code === 'forgets' || code === 'forgets-sentences' ? { wholeSentences: true } : null;
}

/** A reason that has no code. */
export function otherReason(text: string): Reason {
  return formatReason('other', { text });
}

/** Returns a copy of the reason with advice on what to do about it. */
export function withHint({ code, values }: Reason, hint: string): Reason {
  return withText({ code, values, hint });
}

export function toStoredReason({ code, values, hint }: Reason): StoredReason {
  return { code, values, ...(hint !== '' && { hint }) };
}

/** Completes a reason with its sentence. */
export function withText({ code, values, hint }: Omit<Reason, 'text'>): Reason {
  const template = Object.hasOwn(reasonTemplates, code) ? reasonTemplates[code as ReasonCode] : code;
  const sentence = template.replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = values[name] ?? '';
    return typeof value === 'number' ? value.toLocaleString('en') : value;
  });
  return { code, values, hint, text: hint === '' ? sentence : `${sentence}; ${hint}` };
}
