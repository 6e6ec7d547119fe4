/** A question that names a folder first, for example `projects/roof/ When is it repaired?`. */
export type ScopedQuestion = { folder: string; words: string };

/** Parses the folder of a question, without `vault/`; null if it begins with none. The folder may not exist. */
export function parseScopedQuestion(question: string): ScopedQuestion | null {
  const [, folder, words] = /^\s*(?:vault\/)?([^\s/]\S*)\/\s+(\S.*)$/s.exec(question) ?? [];
  return folder === undefined || words === undefined ? null : { folder, words: words.trim() };
}

/** The folder in front of a question that may not have words yet; null if there is none. */
export function questionFolder(question: string): string | null {
  return /^\s*(?:vault\/)?([^\s/]\S*)\/(?:\s|$)/.exec(question)?.[1] ?? null;
}

/** Puts a folder in front of a question, replacing the one that is there; an empty folder means the whole vault. */
export function setQuestionFolder(question: string, folder: string): string {
  const [, words = ''] = /^\s*(?:[^\s/]\S*\/(?:\s+|$))?(.*)$/s.exec(question) ?? [];
  return folder === '' ? words : `${folder}/ ${words}`;
}
