import type { ChatContent } from '../../models/index.ts';
import { ModelError } from '../../models/index.ts';
import { commit, dropAndRelink, tools } from '../../tools/index.ts';
import type { CommitFailure, WriteRun } from '../../tools/index.ts';
import {
  block,
  childPath,
  joinBlocks,
  originalName,
  reviewName,
  showFolder,
  showPath,
} from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import { bindTools } from '../bind-tools.ts';
import { startConversation } from '../conversation.ts';
import type { AgentSettings, Called, Conversation } from '../conversation.ts';
import { readPrompt } from '../read-prompt.ts';
import { accountFor, writtenDown } from './account.ts';
import { askAboutConflict } from './ask-person.ts';
import { completeUpdate, newChangelogEntries } from './complete.ts';
import { resultOf, titleOf, whyOf } from './filing.ts';
import type { Filing, Job } from './filing.ts';
import type { Incoming } from './incoming.ts';
import { isTakenBack, linesAdded } from './place.ts';

type Parts = AgentSettings & { signal: AbortSignal };

/** A part of what came in, or all of it. */
type One = {
  incoming: Incoming;
  context: ChatContent;
  message: ChatContent;
  /** Whether this is all that came in. */
  isWhole: boolean;
  /** Whether nothing comes after it. */
  isLast: boolean;
};

/** `further` when there are more portions. */
type Filed = Filing | { kind: 'further'; summary: string };

/** One conversation about one portion, and after the last one the commit. */
export async function filePortion(job: Job, parts: Parts, run: WriteRun, one: One): Promise<Filed> {
  const { incoming, context, message, isWhole, isLast } = one;
  const { id, input, answered } = job;
  const layout = run.view.layout();
  const conversation = startConversation({
    ...parts,
    run: id,
    instructions: readPrompt('update', layout),
    tools: bindTools(
      tools.filter(({ name }) => name !== 'concat'),
      run,
    ),
  });
  conversation.say(context);
  conversation.say(message);
  const made: Called[] = [];
  let wasTold = false;
  let hasAskedForEntry = false;
  for (let conflicts = 0; ;) {
    const turn = await conversation.proceed((calls, text) => {
      made.push(...calls.filter(isDone));
      return isLastWord(calls, text);
    });
    if (turn.kind === 'stopped') return turn;
    const said = withoutMark(turn.text);
    const hasLooked = made.some(({ tool }) => tool === 'search' || tool === 'read');
    const hasWorked = made.length > 0;
    if (!isLast && hasWorked) return { kind: 'further', summary: said };
    const account = await accountFor({ ...job, run, incoming, summary: said, hasLooked });
    // A part may hold nothing that is worth filing: all of it is kept.
    if (isWhole ? account === null : !hasWorked) {
      if (wasTold) throw filedNothing(parts.model.name, said);
      wasTold = true;
      conversation.say({ text: layout.inWords(tellWhatCounts(incoming, answered)), images: [] });
      continue;
    }
    const entries = await newChangelogEntries(run);
    if (account?.kind === 'filed' && !hasAskedForEntry && entries !== 1) {
      hasAskedForEntry = true;
      conversation.say({ text: layout.inWords(askForEntry(entries)), images: [] });
      continue;
    }
    const summary = said === '' ? (input.text.split('\n')[0] ?? '') : said;
    const known = account?.kind === 'known' ? account.lines : [];
    const undoCompletion = run.transaction.savepoint();
    // Of what was filed in parts nobody knows whether all of it was worth filing: it is kept.
    const isWritten = isWhole ? writtenDown(account, { run, incoming, answered }) : () => false;
    const isDropped = account?.kind === 'dropped';
    const now = job.clock();
    const asked = await completeUpdate({ ...job, run, incoming, isWritten, isDropped, summary, now });
    const paths = [...run.transaction.staged().keys()].map(showPath);
    // The last moment at which it can still be stopped: what is committed stays.
    parts.signal.throwIfAborted();
    const committed = await commit(run, whyOf(job, summary));
    if (committed.kind !== 'failed' || committed.code !== 'conflict')
      return { kind: 'over', result: resultOf(committed, { summary, paths, asked, known }) };
    undoCompletion();
    conflicts += 1;
    if (conflicts > mostConflicts) return askAboutConflict(job, committed);
    await returnConflict(conversation, run, committed);
    restage(incoming, run);
  }
}

const mostConflicts = 3;

function isDone({ tool, outcome }: Called): boolean {
  return tool !== 'tree' && outcome.kind === 'result' && outcome.result.value.errors.length === 0;
}

const mark = /^[ \t>#*_-]*summary[*_]*\s*:[\s*_]*/im;

/** A summary beside the last writes: no call of the model is needed only to hear it. */
function isLastWord(calls: readonly Called[], text: string): boolean {
  const isWrite = ({ tool }: Called): boolean => tools.find(({ name }) => name === tool)?.effect === 'write';
  return mark.test(text) && calls.every((each) => isWrite(each) && isDone(each));
}

function withoutMark(text: string): string {
  const found = mark.exec(text);
  return (found === null ? text : text.slice(found.index + found[0].length)).trim();
}

function filedNothing(model: string, said: string): ModelError {
  const words = said === '' ? 'and said nothing' : `and only wrote: ${JSON.stringify(titleOf(said))}`;
  return new ModelError('unfit', `${model} filed nothing of it ${words}`, {
    mend: 'choose a model that is made for calling tools',
  });
}

function tellWhatCounts({ folder }: Incoming, answered: VaultPath | null): string {
  const dropping =
    answered === null
      ? ''
      : ` If the answer says to drop what lies in ${showFolder(answered)}, delete ${showPath(childPath(answered, originalName))}.`;
  return [
    'Nothing was filed yet, and what you write reaches nobody by itself. File what came in, with the tools. If the vault says',
    'all of it already, search or read, and name the lines that say it in your summary, as vault/tasks.md:12-14. If you cannot',
    `tell where it belongs, write ${showPath(childPath(answered ?? folder, reviewName))} with one question.${dropping}`,
  ].join(' ');
}

function askForEntry(entries: number): string {
  const what =
    "exactly one new entry in vault/changelog.md: a heading of the second level under today's date, on top, with a line or two below it";
  return entries === 0
    ? `Every update has ${what}. There is none yet: add it with append, and repeat your summary with it.`
    : `Every update has ${what}. There are ${entries}: make one of them, and repeat your summary with it.`;
}

/** What came in and whose move was taken back lies where it lay before. */
function restage({ files }: Incoming, run: WriteRun): void {
  for (const [path, bytes] of files) if (isTakenBack(run, path)) run.transaction.place(path, bytes);
}

/** The agent's changes to those files are taken back; it sees them as they are now and makes its changes anew. */
async function returnConflict(
  conversation: Conversation,
  run: WriteRun,
  { conflicts, text }: CommitFailure,
): Promise<void> {
  const paths = conflicts.map(({ path }) => path);
  const lost = paths.map((path) => takenBack(run, path)).filter((each) => each !== '');
  await dropAndRelink(run, paths);
  for (const path of paths) run.shown.forget(path);
  const names = paths.map(showPath).join(', ');
  conversation.say({
    text: joinBlocks([
      `While you worked, somebody changed ${names}. Your changes to it were taken back; all others stand. Read it again, make your change on what is there now, and repeat your summary.`,
      text,
      ...(lost.length === 0 ? [] : ['These lines of yours were taken back, also of earlier parts:', ...lost]),
    ]),
    images: [],
  });
}

/** What was added to a file, as a block; empty when nothing was. */
function takenBack(run: WriteRun, path: VaultPath): string {
  const added = linesAdded(run, path).filter((line) => line.trim() !== '');
  return added.length === 0 ? '' : block(showPath(path), added.join('\n'));
}
