import type { Language } from '../vault/index.ts';

/** The note that says which day an answer or a result is from. */
export function formatAsOf(day: string, language: Language = 'en'): string {
  const notes = { en: `note: from the vault as of ${day}`, fr: `note : d’après le coffre au ${day}` };
  return notes[language];
}
