import type { Answer } from '../../contract/index.ts';
import { hasCitations } from './answer.ts';
import type { CheckedOverview, Evidence } from './answer.ts';
import type { FindUnsupported } from './check-overview.ts';
import { findLengthProblem, overviewLength, parseOverview } from './overview-shape.ts';

/** The state of a search agent between turns. */
export type Progress = {
  overview: string;
  /** What the model says about the vault with the line `Found: …`; null without that line. */
  declared: Answer['found'] | null;
  evidence: Evidence | null;
  /** How often a `concat` call was rejected. */
  corrections: number;
  /** The input of the last `concat` call. */
  lastConcat: string;
  /** The last rejected `concat` result, with its overview. */
  rejected: { overview: string; evidence: Evidence } | null;
  wasAskedToSearch: boolean;
  wasAskedForOverview: boolean;
  wasAskedToCite: boolean;
  wasAskedToRevise: boolean;
};

export const noProgress: Progress = {
  overview: '',
  declared: null,
  evidence: null,
  corrections: 0,
  lastConcat: '',
  rejected: null,
  wasAskedToSearch: false,
  wasAskedForOverview: false,
  wasAskedToCite: false,
  wasAskedToRevise: false,
};

/** The text and the `concat` result of one turn. */
export type SearchTurn = {
  text: string;
  concat: { request: string; evidence: Evidence } | null;
  /** Whether the agent has searched or read files in this or an earlier turn. */
  hasLooked: boolean;
  /** Whether that has shown any lines. */
  hasSeenLines: boolean;
};

export type Verdict =
  | { kind: 'accept'; answer: CheckedOverview }
  /** `text` is null if the tool results already tell the model what is wrong. */
  | { kind: 'ask'; text: string | null; progress: Progress }
  | { kind: 'fail'; reason: 'answered without searching the vault' | 'returned an empty answer' };

const maxCorrections = 3;

/** Decides what follows a turn of the search agent. */
export function judgeTurn(before: Progress, turn: SearchTurn, findUnsupported: FindUnsupported): Verdict {
  const { text, concat, hasLooked } = turn;
  const progress = { ...before };
  if (text !== '') {
    const { overview, found } = parseOverview(text);
    Object.assign(progress, { overview, declared: found });
  }
  // A model that requests the same lines again is not asked again: repeating the message does not help.
  const repeatsRequest = concat !== null && concat.request === before.lastConcat;
  if (concat !== null) {
    progress.lastConcat = concat.request;
    const isFinal =
      (repeatsRequest && hasCitations(concat.evidence)) || before.corrections === maxCorrections;
    const problem = isFinal ? null : evidenceProblem(concat.evidence);
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
  if (!hasCitations(progress.evidence) && !hasLooked) {
    if (before.wasAskedToSearch) return { kind: 'fail', reason: 'answered without searching the vault' };
    return { kind: 'ask', text: askToLook, progress: { ...progress, overview: '', wasAskedToSearch: true } };
  }
  if (progress.overview === '' && !before.wasAskedForOverview) {
    const ask = hasCitations(progress.evidence) ? askForOverview : askForAnswer;
    return { kind: 'ask', text: ask, progress: { ...progress, wasAskedForOverview: true } };
  }
  if (progress.overview === '' && progress.evidence === null)
    return { kind: 'fail', reason: 'returned an empty answer' };
  return judgeOverview(progress, turn.hasSeenLines, repeatsRequest, findUnsupported);
}

/** Checks an overview against the cited lines. The model is asked once for citations and once for corrections. */
function judgeOverview(
  progress: Progress,
  hasSeenLines: boolean,
  repeatsRequest: boolean,
  findUnsupported: FindUnsupported,
): Verdict {
  const { overview, evidence, declared } = progress;
  const unsupported = findUnsupported(overview, evidence);
  const isCited = hasCitations(evidence);
  // Without citations, only an answer that states nothing says that the vault does not contain it.
  const isAbsence = !isCited && unsupported.length === 0 && (declared === 'no' || !hasSeenLines);
  if (!isCited && !isAbsence && !progress.wasAskedToCite)
    return { kind: 'ask', text: askToCite(unsupported), progress: { ...progress, wasAskedToCite: true } };
  const problems = [
    findLengthProblem(overview),
    isCited && unsupported.length > 0 ? askToSupport(unsupported) : null,
  ].filter((problem) => problem !== null);
  if (problems.length > 0 && !progress.wasAskedToRevise && !repeatsRequest) {
    const text = problems.join(' ');
    return { kind: 'ask', text, progress: { ...progress, wasAskedToRevise: true } };
  }
  const claimed = declared === 'no' && !isCited ? 'partly' : (declared ?? 'yes');
  return {
    kind: 'accept',
    answer: { overview, evidence, unsupported, found: isAbsence ? 'no' : claimed },
  };
}

const sayAbsence =
  'If the vault does not contain the answer, say so and where you looked, in 1 to 5 lines, and end with the line `Found: no`.';

const askToLook = `You have not searched the vault. Call search, or read the files that should contain the answer, then finish with concat. ${sayAbsence}`;

const askForOverview = `The overview is missing. Write only the overview now, in ${overviewLength}. The source lines are already assembled.`;

const askForAnswer = `You have not answered yet. Call concat with the lines that answer the question and write the overview in the same message, in ${overviewLength}. ${sayAbsence}`;

function askToCite(unsupported: readonly string[]): string {
  const claims = unsupported.length === 0 ? '' : ` They should show: ${unsupported.join(', ')}.`;
  return `You have not cited any lines. Call concat with the lines that support your answer, and write the overview again in the same message.${claims} ${sayAbsence}`;
}

function askToSupport(unsupported: readonly string[]): string {
  return `The cited lines do not contain: ${unsupported.join(', ')}. Call concat again with the lines that do, or write the overview again without this. [1] is the first entry of concat.`;
}

/** Null if the evidence is fine; `text` is null if the tool results already say what is wrong. */
function evidenceProblem({ errors, refusals, leftOut }: Evidence): { text: string | null } | null {
  if (errors.length > 0 || refusals > 0) return { text: null };
  return leftOut.length > 0
    ? { text: 'These lines do not fit into one answer. Select fewer lines and call concat again.' }
    : null;
}
