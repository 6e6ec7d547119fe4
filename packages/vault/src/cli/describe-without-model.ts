/** What waits: an update, several, or an answer to an inbox item. */
export type Waiting = 'it' | 'the waiting updates' | 'the answer';

/** What the user can do about it while there is no model. */
export function describeWithoutModel(waiting: Waiting): string {
  const instead = {
    it: 'save it as a note with: keepsake add --as-note, or ',
    'the answer': 'answer with a choice that keepsake inbox shows, or ',
    'the waiting updates': '',
  };
  return `without a model: ${instead[waiting]}tell a connected AI tool to "file what waits"; with one: keepsake updates run`;
}
