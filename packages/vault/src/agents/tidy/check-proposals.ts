import { z } from 'zod';
import { collapseWhitespace } from '../../review/index.ts';
import { formatPath, splitLines } from '../../vault/index.ts';
import type { VaultPath, VaultView } from '../../vault/index.ts';
import { candidateKinds } from './candidate.ts';
import type { Candidate, SourceLine } from './candidate.ts';

const maxProposals = 5;

/** A proposal as the model makes it. */
export const proposedTidying = z.object({
  kind: z.enum(candidateKinds),
  lines: z
    .array(z.object({ path: z.string(), line: z.coerce.number(), text: z.string() }))
    .describe('The lines that justify it, copied exactly as shown, the line to change first'),
});

type ProposedTidying = z.infer<typeof proposedTidying>;

/**
 * Keeps the proposals whose lines are in the files now, with the quoted words, and belong to one of the candidates: its
 * target and at least one line that justifies it. All others are dropped.
 */
export async function checkProposals(
  proposed: readonly ProposedTidying[],
  candidates: readonly Candidate[],
  view: VaultView,
): Promise<Candidate[]> {
  const checked = new Set<Candidate>();
  for (const { kind, lines } of proposed) {
    const candidate = candidates.find((each) => each.kind === kind && matchesAll(each, lines));
    if (candidate === undefined || checked.size === maxProposals) continue;
    if ((await findLines([candidate.target, ...candidate.evidence], view)) !== null) checked.add(candidate);
  }
  return [...checked];
}

function matchesAll({ target, evidence }: Candidate, lines: ProposedTidying['lines']): boolean {
  const isQuoted = (source: SourceLine): boolean => lines.some((line) => isSameLine(line, source));
  return (
    isQuoted(target) &&
    evidence.some(isQuoted) &&
    lines.every((line) => [target, ...evidence].some((source) => isSameLine(line, source)))
  );
}

function isSameLine(quoted: ProposedTidying['lines'][number], { path, line, text }: SourceLine): boolean {
  return (
    quoted.line === line &&
    [path as string, formatPath(path)].includes(quoted.path) &&
    collapseWhitespace(quoted.text) === collapseWhitespace(text)
  );
}

/** A line, known by its file and a function that recognizes its text. */
type SoughtLine = { path: VaultPath; text: string } | { path: VaultPath; isText: (text: string) => boolean };

/** The current positions of lines; null if one of them is no longer in its file, or its file is hidden or gone. */
export async function findLines(
  sought: readonly SoughtLine[],
  view: VaultView,
): Promise<SourceLine[] | null> {
  const found: SourceLine[] = [];
  for (const { path, ...line } of sought) {
    const read = await view.read(path);
    const lines = read.kind === 'file' ? splitLines(read.bytes.toString()) : [];
    const isText = 'text' in line ? (text: string): boolean => text === line.text : line.isText;
    const index = lines.findIndex((text) => isText(text));
    if (index === -1) return null;
    found.push({ path, line: index + 1, text: lines[index] ?? '' });
  }
  return found;
}
