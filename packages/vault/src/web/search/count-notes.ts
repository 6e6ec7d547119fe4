import type { SearchResponse } from '../api/files-api.ts';

/** The number of notes that these passages are from, and of all notes that a search has found. */
export function countNotes(
  { matched }: Pick<SearchResponse, 'matched'>,
  sections: readonly { path: string }[],
): { shown: number; all: number } {
  const shown = new Set(sections.map(({ path }) => path)).size;
  return { shown, all: Math.max(shown, matched.notes) };
}
