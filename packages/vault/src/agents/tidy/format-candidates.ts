import { formatPath } from '../../vault/index.ts';
import type { Candidate, SourceLine } from './candidate.ts';

/** The groups of lines as the model sees them. */
export function formatCandidates(candidates: readonly Candidate[], today: string): string {
  const groups = candidates.map(({ kind, target, evidence }, index) =>
    [`Group ${index + 1}, ${kind}:`, ...[target, ...evidence].map(formatLine)].join('\n'),
  );
  return [`Today is ${today}.`, ...groups].join('\n\n');
}

/** `vault/tasks.md:12 | # Order the tiles` */
function formatLine({ path, line, text }: SourceLine): string {
  return `${formatPath(path)}:${line} | ${text}`;
}
