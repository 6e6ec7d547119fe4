import type { ChatContent } from '../../models/index.ts';
import { ModelError } from '../../models/index.ts';
import { commit, unstageAndUpdateLinks, tools, updateTools } from '../../tools/index.ts';
import type { CommitFailure, WriteRun } from '../../tools/index.ts';
import {
  renderBlock,
  childPath,
  joinBlocks,
  originalName,
  reviewName,
  formatPath,
} from '../../vault/index.ts';
import type { Layout, VaultPath } from '../../vault/index.ts';
import { bindTools } from '../bind-tools.ts';
import { createConversation } from '../conversation.ts';
import type { AgentOptions, ExecutedCall, Conversation } from '../conversation.ts';
import { loadPrompt } from '../load-prompt.ts';
import type { PromptName } from '../load-prompt.ts';
import { getFilingStatus } from './check-filed.ts';
import { completeUpdate, nameUnmatched, noText, qualifySummary, textToCover } from './complete-update.ts';
import { createConflictReview } from './create-review.ts';
import { describeEntryProblem } from './finish-update.ts';
import { nextRepair, reviewStaged } from './review-staged.ts';
import { toUpdateResult, firstLine, changeMetadata } from './update-job.ts';
import type { UpdateOutcome, UpdateJob } from './update-job.ts';
import type { StagedInput } from './stage-input.ts';
import { isUndone, addedLines } from './staged-files.ts';

type FilePartOptions = AgentOptions & {
  signal: AbortSignal;
  prompt: PromptName;
  firstToolChoice: 'required' | undefined;
};

/** One part of the input, or all of it. */
type PartJob = {
  incoming: StagedInput;
  context: readonly ChatContent[];
  message: ChatContent;
  /** Whether this is the whole input. */
  isWhole: boolean;
  /** Whether this is the last part. */
  isLast: boolean;
};

/** `more-parts` if more parts follow. */
type PartOutcome = UpdateOutcome | { kind: 'more-parts'; summary: string };

/** Runs one conversation for one part, and commits after the last part. */
export async function filePart(
  job: UpdateJob,
  parts: FilePartOptions,
  run: WriteRun,
  one: PartJob,
): Promise<PartOutcome> {
  const conversation = createConversation({
    ...parts,
    run: job.id,
    instructions: loadPrompt(parts.prompt, run.view.layout()),
    tools: bindTools(updateTools, run),
  });
  try {
    return await runConversation(conversation, job, parts, run, one);
  } finally {
    conversation.close();
  }
}

async function runConversation(
  conversation: Conversation,
  job: UpdateJob,
  parts: FilePartOptions,
  run: WriteRun,
  { incoming, context, message, isWhole, isLast }: PartJob,
): Promise<PartOutcome> {
  const { input, answered } = job;
  const layout = run.view.layout();
  for (const block of context) conversation.addUserMessage(block);
  conversation.addUserMessage(message);
  const allCalls: ExecutedCall[] = [];
  let wasReminded = false;
  const asked = new Set<string>();
  for (let conflicts = 0; ;) {
    const turn = await conversation.runUntilDone((calls, text) => {
      allCalls.push(...calls);
      return isFinalMessage(calls, text);
    });
    if (turn.kind === 'stopped') return turn;
    const said = stripSummaryPrefix(turn.text);
    const executedCalls = allCalls.filter(succeeded);
    const hasSearched = executedCalls.some(({ tool }) => tool === 'search' || tool === 'read');
    const hasWorked = executedCalls.length > 0;
    if (!isLast && hasWorked) return { kind: 'more-parts', summary: said };
    const filingStatus = await getFilingStatus({ ...job, run, incoming, summary: said, hasSearched });
    // A single part may contain nothing worth filing; its text is kept anyway.
    if (isWhole ? filingStatus === null : !hasWorked) {
      if (wasReminded) throw nothingFiledError(parts.model.name, said);
      wasReminded = true;
      conversation.addUserMessage({
        text: nothingFiledPrompt(incoming, answered, layout),
        images: [],
      });
      continue;
    }
    const summary = said === '' ? (input.text.split('\n')[0] ?? '') : said;
    const known = filingStatus?.kind === 'known' || filingStatus?.kind === 'filed' ? filingStatus.lines : [];
    const text = isWhole ? textToCover(job, run, filingStatus) : noText;
    const shown = {
      context: context.map((block) => block.text).join('\n'),
      message,
      calls: allCalls,
    };
    const review = await reviewStaged(job, { run, incoming, text, summary: said, known, ...shown });
    const entry = filingStatus?.kind === 'filed' ? await describeEntryProblem(run, incoming, answered) : null;
    const problem = nextRepair({ entry, review, isUserAuthored: job.isUserAuthored }, asked);
    if (problem !== null) {
      conversation.addUserMessage({ text: layout.substituteNames(problem), images: [] });
      continue;
    }
    const undoCompletion = run.transaction.savepoint();
    const completion = { run, incoming, filingStatus, review, summary, isWhole };
    const { reviewItem, receipt } = await completeUpdate(job, completion);
    const paths = [...run.transaction.staged().keys()].map(formatPath);
    // The last point at which the update can be cancelled; a commit is final.
    parts.signal.throwIfAborted();
    const committed = await commit(run, changeMetadata(job, summary));
    if (committed.kind !== 'failed' || committed.code !== 'conflict')
      return {
        kind: 'finished',
        result: toUpdateResult(committed, {
          summary:
            filingStatus?.kind === 'known'
              ? `${summary}${nameUnmatched(job, known)}`
              : qualifySummary(job, summary, review),
          paths,
          reviewItem,
          known,
          receipt,
        }),
      };
    undoCompletion();
    conflicts += 1;
    if (conflicts > maxConflicts) return createConflictReview(job, committed);
    await reportConflict(conversation, run, committed);
    restageInput(incoming, run);
  }
}

const maxConflicts = 3;

function succeeded({ tool, outcome }: ExecutedCall): boolean {
  return tool !== 'tree' && outcome.kind === 'result' && outcome.result.value.errors.length === 0;
}

const summaryPrefix = /^[ \t>#*_-]*summary[*_]*\s*:[\s*_]*/im;

/** A summary in the same message as the last writes ends the run without another model call. */
function isFinalMessage(calls: readonly ExecutedCall[], text: string): boolean {
  const isWrite = ({ tool }: ExecutedCall): boolean =>
    tools.find(({ name }) => name === tool)?.effect === 'write';
  return summaryPrefix.test(text) && calls.every((each) => isWrite(each) && succeeded(each));
}

function stripSummaryPrefix(text: string): string {
  const found = summaryPrefix.exec(text);
  return (found === null ? text : text.slice(found.index + found[0].length)).trim();
}

function nothingFiledError(model: string, said: string): ModelError {
  const words =
    said === '' ? 'and returned no text' : `and only returned: ${JSON.stringify(firstLine(said))}`;
  return new ModelError('unfit', `${model} filed nothing ${words}`, {
    hint: 'choose a model that supports tool calling',
  });
}

function nothingFiledPrompt(
  { folder }: StagedInput,
  answered: VaultPath | null,
  { substituteNames }: Layout,
): string {
  const dropping =
    answered === null
      ? ''
      : ` If the answer says to drop the matter, delete ${formatPath(childPath(answered, originalName))}.`;
  return [
    'Nothing has been filed yet. Text alone changes nothing: use the tools to file the input. If the vault already says all of it,',
    'search or read, and name those lines in your summary, for example',
    `${substituteNames('vault/tasks.md')}:12-14. If you cannot tell where it belongs, write ${formatPath(childPath(answered ?? folder, reviewName))} with one question.${dropping}`,
  ].join(' ');
}

/** Restages input files whose moves were undone. */
function restageInput({ files }: StagedInput, run: WriteRun): void {
  for (const [path, bytes] of files) if (isUndone(run, path)) run.transaction.create(path, bytes);
}

/** Undoes the agent's changes to the conflicting files and asks it to apply them to the current versions. */
async function reportConflict(
  conversation: Conversation,
  run: WriteRun,
  { conflicts, text }: CommitFailure,
): Promise<void> {
  const paths = conflicts.map(({ path }) => path);
  const lost = paths.map((path) => formatUndoneLines(run, path)).filter((each) => each !== '');
  await unstageAndUpdateLinks(run, paths);
  for (const path of paths) run.shownLines.forget(path);
  const names = paths.map(formatPath).join(', ');
  conversation.addUserMessage({
    text: joinBlocks([
      `Someone else changed ${names} while you were working. Your changes there were undone; your other changes are kept. Read the current version, apply your change to it, and repeat your summary.`,
      text,
      ...(lost.length === 0
        ? []
        : ['These lines that you had added were undone (including those of earlier parts):', ...lost]),
    ]),
    images: [],
  });
}

/** The lines added to a file, as a block; empty if there are none. */
function formatUndoneLines(run: WriteRun, path: VaultPath): string {
  const added = addedLines(run, path).filter((line) => line.trim() !== '');
  return added.length === 0 ? '' : renderBlock(formatPath(path), added.join('\n'));
}
