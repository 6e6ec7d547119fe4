/**
 * Why something is held, fails or is missing. Terminals, models and logs have it as a sentence; who speaks another language reads the
 * code and its values back out of it.
 */
const sentences = {
  'deletes-files': 'it deletes {count} files',
  'removes-half': 'it removes more than half of {path}',
  'removes-text': 'it removes {count} characters of text that are nowhere else',
  'files-an-hour': 'with it, {count} files would be deleted within an hour',
  'text-an-hour': 'with it, {count} characters of text would be removed within an hour',
  instructions: 'it changes {path}, which other AI tools take for instructions',
  'loads-from-elsewhere': 'it puts into {path} what an editor loads from elsewhere ({address})',
  'word-of-others': 'it changes {path} on the word of somebody else than you',
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
} as const;

export type ReasonCode = keyof typeof sentences;
type Names<Sentence extends string> = Sentence extends `${string}{${infer Name}}${infer Rest}`
  ? Name | Names<Rest>
  : never;
type Values<Code extends ReasonCode> = Record<Names<(typeof sentences)[Code]>, string | number>;

/** A reason as a sentence; numbers as English writes them. */
export function reasonFor<Code extends ReasonCode>(code: Code, values: Values<Code>): string {
  const given = values as Record<string, string | number>;
  return sentences[code].replaceAll(/\{(\w+)\}/g, (_, name: string) => {
    const value = given[name] ?? '';
    return typeof value === 'number' ? value.toLocaleString('en') : value;
  });
}

/** What `reasonFor` has made, taken apart, with what to do about it if that follows; null for other words. */
export function readReason(text: string): { code: ReasonCode; values: Record<string, string> } | null {
  for (const code of Object.keys(sentences) as ReasonCode[]) {
    const pattern = sentences[code]
      .replaceAll(/[.()]/g, String.raw`\$&`)
      .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>.+?)`);
    const found = new RegExp(`^${pattern}(?:; .*)?$`, 's').exec(text);
    if (found !== null) return { code, values: { ...found.groups } };
  }
  return null;
}
