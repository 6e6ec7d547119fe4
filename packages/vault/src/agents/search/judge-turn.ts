import { hasCitations } from './answer.ts';
import type { Evidence } from './answer.ts';

/** The state of a search agent between turns. */
export type Progress = {
  overview: string;
  evidence: Evidence | null;
  /** How often a `concat` call was rejected. */
  corrections: number;
  /** The input of the last `concat` call. */
  lastConcat: string;
  /** The last rejected `concat` result, with its overview. */
  rejected: { overview: string; evidence: Evidence } | null;
  wasAskedToSearch: boolean;
  wasAskedForOverview: boolean;
};

export const noProgress: Progress = {
  overview: '',
  evidence: null,
  corrections: 0,
  lastConcat: '',
  rejected: null,
  wasAskedToSearch: false,
  wasAskedForOverview: false,
};

/** The text and the `concat` result of one turn. */
export type SearchTurn = {
  text: string;
  concat: { request: string; evidence: Evidence } | null;
  /** Whether the agent has seen file content in this or an earlier turn. */
  hasLooked: boolean;
};

export type Verdict =
  | { kind: 'accept'; overview: string; evidence: Evidence | null }
  /** `text` is null if the tool results already tell the model what is wrong. */
  | { kind: 'ask'; text: string | null; progress: Progress }
  | { kind: 'fail'; reason: 'answered without searching the vault' | 'returned an empty answer' };

const maxCorrections = 3;

/** Decides what follows a turn of the search agent. */
export function judgeTurn(before: Progress, { text, concat, hasLooked }: SearchTurn): Verdict {
  const progress = { ...before };
  if (text !== '') progress.overview = stripFences(text);
  if (concat !== null) {
    // If the model requests the same lines again, repeating the message does not help.
    const repeatsRequest = concat.request === before.lastConcat && hasCitations(concat.evidence);
    progress.lastConcat = concat.request;
    const problem =
      repeatsRequest || before.corrections === maxCorrections ? null : evidenceProblem(concat.evidence);
    if (problem !== null) {
      progress.corrections += 1;
      progress.rejected = { overview: progress.overview, evidence: concat.evidence };
      return { kind: 'ask', text: problem.text, progress };
    }
    progress.evidence = concat.evidence;
  }
  // If the model only repeats its overview, the lines that it selected with that overview are used.
  else if (progress.evidence === null && progress.overview === progress.rejected?.overview)
    progress.evidence = progress.rejected.evidence;
  const isCited = hasCitations(progress.evidence);
  if (!isCited && !hasLooked) {
    if (before.wasAskedToSearch) return { kind: 'fail', reason: 'answered without searching the vault' };
    return { kind: 'ask', text: askToLook, progress: { ...progress, overview: '', wasAskedToSearch: true } };
  }
  const { overview, evidence } = progress;
  const lines = overview.split('\n').filter((line) => line.trim() !== '').length;
  if ((lines < 2 || lines > 5) && !before.wasAskedForOverview) {
    const missing = isCited ? askForOverview : askForAnswer;
    const ask = lines === 0 ? missing : askForLength(lines);
    return { kind: 'ask', text: ask, progress: { ...progress, wasAskedForOverview: true } };
  }
  if (overview === '' && evidence === null) return { kind: 'fail', reason: 'returned an empty answer' };
  return { kind: 'accept', overview, evidence };
}

const askToLook =
  'You have not searched the vault. Call search, or read the files that should contain the answer, then finish with concat. Only if nothing answers the question, say so in 2 to 5 lines.';

const askForOverview =
  'The overview is missing. Write only the overview now, in 2 to 5 lines. The source lines are already assembled.';

const askForAnswer =
  'You have not answered yet. Call concat with the lines that answer the question and write the overview in 2 to 5 lines. If nothing answers it, say so in 2 to 5 lines.';

function askForLength(lines: number): string {
  return `The overview has ${lines} ${lines === 1 ? 'line' : 'lines'}. Write only the overview again, in 2 to 5 lines.`;
}

/** Null if the evidence is fine; `text` is null if the tool results already say what is wrong. */
function evidenceProblem({ errors, leftOut }: Evidence): { text: string | null } | null {
  if (errors.length > 0) return { text: null };
  return leftOut.length > 0
    ? { text: 'These lines do not fit into one answer. Select fewer lines and call concat again.' }
    : null;
}

/** An unclosed fence would swallow the source lines below it. */
function stripFences(overview: string): string {
  return overview
    .split('\n')
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .join('\n')
    .trim();
}
