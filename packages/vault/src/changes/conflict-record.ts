import { z } from 'zod';
import { extractYaml } from '../vault/index.ts';

const lines = z.array(z.string());

/** What an inbox question about two versions of a note is about, for code that applies the user's choice. */
const conflictRecord = z.discriminatedUnion('kind', [
  /** The other version is a file of its own. */
  z.object({ kind: z.literal('versions'), note: z.string(), other: z.string() }),
  /** The note contains `kept`, which may be replaced by the lines of one side. */
  z.object({
    kind: z.literal('lines'),
    note: z.string(),
    regions: z.array(z.object({ kept: lines, a: lines, b: lines })),
  }),
  /** The note contains the conflict markers of git. */
  z.object({ kind: z.literal('markers'), note: z.string() }),
]);

/** Paths have the form `vault/…`. */
export type ConflictRecord = z.infer<typeof conflictRecord>;

/** Puts the record into the frontmatter of a question. */
export function withConflictRecord(record: ConflictRecord, question: string): string {
  // A JSON string is also a YAML string.
  return `---\nconflict: ${JSON.stringify(JSON.stringify(record))}\n---\n\n${question}`;
}

/** Null if the question has no valid record. */
export function readConflictRecord(question: string): ConflictRecord | null {
  const stored = /^conflict: (".*")$/m.exec(extractYaml(question))?.[1];
  if (stored === undefined) return null;
  try {
    return conflictRecord.parse(JSON.parse(JSON.parse(stored) as string));
  } catch {
    return null;
  }
}
