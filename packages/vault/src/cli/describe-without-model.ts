/** What the user can do about waiting updates while there is no model. */
export function describeWithoutModel(updates: 'it' | 'the waiting updates'): string {
  const asNote = updates === 'it' ? 'save it as a note with: keepsake add --as-note, or ' : '';
  return `without a model: ${asNote}tell a connected AI tool to "file what waits"; with one: keepsake updates run`;
}
