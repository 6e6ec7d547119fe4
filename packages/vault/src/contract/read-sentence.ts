import type { StoredReason } from './reasons.ts';

/**
 * The messages that earlier versions stored instead of a reason with a code. Only migrations parse them, so they must
 * never change; the current messages are in `reasons.ts`.
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
};

const patterns = Object.entries(sentences).map(([code, sentence]) => {
  const pattern = sentence
    .replaceAll(/[.()]/g, String.raw`\$&`)
    .replaceAll(/\{(\w+)\}/g, (_, name: string) => `(?<${name}>.+?)`);
  return { code, pattern: new RegExp(`^${pattern}(?:; (?<hint>.*))?$`, 's') };
});

/** Parses a message that an earlier version stored; an unknown message becomes a reason with the code `other`. */
export function readSentence(sentence: string): StoredReason {
  for (const { code, pattern } of patterns) {
    const found = pattern.exec(sentence);
    if (found === null) continue;
    const { hint, ...values } = { ...found.groups };
    const read = Object.entries(values).map(([name, value]) => [
      name,
      name === 'count' ? countOf(value) : value,
    ]);
    return { code, values: Object.fromEntries(read), ...(hint !== undefined && { hint }) };
  }
  return { code: 'other', values: { text: sentence } };
}

/** Parses a count with thousands separators. */
function countOf(text: string): number | string {
  return /^\d{1,3}(,\d{3})*$/.test(text) ? Number(text.replaceAll(',', '')) : text;
}
