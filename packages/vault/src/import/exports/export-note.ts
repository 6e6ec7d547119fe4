import { stringify } from 'yaml';

/** A note of an export that is not a conversation. Times are in epoch milliseconds; null if the export does not contain them. */
export type ExportNote = {
  id: string;
  /** Relative to the folder of the export; names may contain any character but `/`. */
  path: string;
  created: number | null;
  updated: number | null;
  text: string;
};

export function exportNoteText(source: string, title: string, body: string): string {
  return `---\n${stringify({ source, title })}---\n\n${body.endsWith('\n') ? body : `${body}\n`}`;
}

/** A name as one segment of a path. */
export function pathSegment(name: string, fallback: string): string {
  return name.replaceAll('/', '-').trim() || fallback;
}
