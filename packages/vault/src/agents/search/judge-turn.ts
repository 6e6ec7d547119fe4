import { citesLines } from './answer.ts';
import type { Evidence } from './answer.ts';

/** What a search agent has come to so far. */
export type Progress = {
  overview: string;
  evidence: Evidence | null;
  /** How often a concat was returned to the model. */
  corrections: number;
  /** What the last concat was asked for. */
  lastConcat: string;
  /** The last concat that was returned, with the overview it came with. */
  returned: { overview: string; evidence: Evidence } | null;
  hasBeenToldToLook: boolean;
  hasBeenAskedForOverview: boolean;
};

export const noProgress: Progress = {
  overview: '',
  evidence: null,
  corrections: 0,
  lastConcat: '',
  returned: null,
  hasBeenToldToLook: false,
  hasBeenAskedForOverview: false,
};

/** What the model wrote and assembled in one turn. */
export type SearchTurn = {
  text: string;
  concat: { asked: string; evidence: Evidence } | null;
  /** Whether it has seen, in this turn or before, what any file says. */
  hasLooked: boolean;
};

export type Verdict =
  | { kind: 'accept'; overview: string; evidence: Evidence | null }
  /** Null when the results of its calls have told the model what is wrong. */
  | { kind: 'ask'; text: string | null; progress: Progress }
  | { kind: 'fail'; reason: 'without looking into the vault' | 'nothing' };

const maxCorrections = 3;

/** Decides what follows a turn of the search agent. */
export function judgeTurn(before: Progress, { text, concat, hasLooked }: SearchTurn): Verdict {
  const progress = { ...before };
  if (text !== '') progress.overview = withoutFences(text);
  if (concat !== null) {
    // A model that asks for the same lines again is not helped by the same message again.
    const insists = concat.asked === before.lastConcat && citesLines(concat.evidence);
    progress.lastConcat = concat.asked;
    const problem = insists || before.corrections === maxCorrections ? null : problemWith(concat.evidence);
    if (problem !== null) {
      progress.corrections += 1;
      progress.returned = { overview: progress.overview, evidence: concat.evidence };
      return { kind: 'ask', text: problem.text, progress };
    }
    progress.evidence = concat.evidence;
  }
  // A model that only repeats its overview stays with the lines that it had chosen for it.
  else if (progress.evidence === null && progress.overview === progress.returned?.overview)
    progress.evidence = progress.returned.evidence;
  const isCited = citesLines(progress.evidence);
  if (!isCited && !hasLooked) {
    if (before.hasBeenToldToLook) return { kind: 'fail', reason: 'without looking into the vault' };
    return { kind: 'ask', text: askToLook, progress: { ...progress, overview: '', hasBeenToldToLook: true } };
  }
  const { overview, evidence } = progress;
  const lines = overview.split('\n').filter((line) => line.trim() !== '').length;
  if ((lines < 2 || lines > 5) && !before.hasBeenAskedForOverview) {
    const missing = isCited ? askForOverview : askForAnswer;
    const ask = lines === 0 ? missing : askForLength(lines);
    return { kind: 'ask', text: ask, progress: { ...progress, hasBeenAskedForOverview: true } };
  }
  if (overview === '' && evidence === null) return { kind: 'fail', reason: 'nothing' };
  return { kind: 'accept', overview, evidence };
}

const askToLook =
  'You have not looked into the vault. Call search, or read the files that must hold the answer. Then end with concat; only if nothing answers, say so in 2 to 5 lines.';

const askForOverview =
  'The overview is missing. Write it now, 2 to 5 lines, and nothing else; the documents are assembled already.';

const askForAnswer =
  'There is no answer yet. Call concat with the lines that answer and write the overview, 2 to 5 lines; or, if nothing answers, write 2 to 5 lines that say so.';

function askForLength(lines: number): string {
  return `The overview has ${lines} lines. Write it again in 2 to 5 lines, and nothing else.`;
}

/** Null when all is well; no text when the results of the calls say what is wrong. */
function problemWith({ errors, leftOut }: Evidence): { text: string | null } | null {
  if (errors.length > 0) return { text: null };
  return leftOut.length > 0
    ? { text: 'That is more than fits into one answer. Choose fewer lines and call concat again.' }
    : null;
}

/** A fence that is not closed would swallow the evidence below it. */
function withoutFences(overview: string): string {
  return overview
    .split('\n')
    .filter((line) => !/^\s*(?:```|~~~)/.test(line))
    .join('\n')
    .trim();
}
