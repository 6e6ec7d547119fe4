import { createHash } from 'node:crypto';
import type { VaultPath } from '../../vault/index.ts';

/** `done`: a task that a later line reports as done. `contradiction`: a state that a changelog entry contradicts. */
export const candidateKinds = ['done', 'contradiction', 'duplicate', 'overview'] as const;
export type CandidateKind = (typeof candidateKinds)[number];

/** A line of a file, without its line ending; the first line is number 1. */
export type SourceLine = { path: VaultPath; line: number; text: string };

/** Lines that may need tidying, found by their words alone: the line to change, and the lines that would justify it. */
export type Candidate = { kind: CandidateKind; target: SourceLine; evidence: SourceLine[] };

/** Identifies a candidate by the words of its lines, so that it stays the same when lines move within a file. */
export function candidateKey({ kind, target, evidence }: Candidate): string {
  const hash = createHash('sha256').update(kind);
  for (const { path, text } of [target, ...evidence.slice(0, 1)])
    hash.update('\0').update(path).update('\0').update(text.trim());
  return hash.digest('hex');
}
