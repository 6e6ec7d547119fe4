import type { Policy } from '../../changes/index.ts';
import type { UpdateInput } from '../../contract/index.ts';
import { describeError } from '../../contract/index.ts';
import { ModelError, statedContext } from '../../models/index.ts';
import type { ChatContent } from '../../models/index.ts';
import { commit, tools } from '../../tools/index.ts';
import type { CommitFailure, WriteRun } from '../../tools/index.ts';
import {
  block,
  changelogPath,
  childPath,
  decodeText,
  filePathsBelow,
  folderIn,
  inboxPath,
  joinBlocks,
  kindOf,
  nameOf,
  openItems,
  originalName,
  overviewPath,
  reviewName,
  showFolder,
  showPath,
  splitLines,
} from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import { bindTools } from '../bind-tools.ts';
import { startConversation } from '../conversation.ts';
import type { AgentSettings, Called, Conversation } from '../conversation.ts';
import { vaultContext, withinContext } from '../opening.ts';
import { readPrompt } from '../read-prompt.ts';
import { accountFor, bodyOf, writtenDown } from './account.ts';
import { askAboutConflict, keepInInbox } from './ask-person.ts';
import { completeUpdate, newChangelogEntries } from './complete.ts';
import { originOf, resultOf, titleOf } from './filing.ts';
import type { Filing, Job } from './filing.ts';
import { isOfSomebodyElse, receivedContents, stageIncoming } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { bytesAt, isTakenBack } from './place.ts';
import { updatePolicy } from './policy.ts';
import { beginning, cutPortions, firstLines, tokensShown } from './portions.ts';
import type { Position, Source } from './portions.ts';
import { presentInput, presentPortion } from './present.ts';
import { packProgress, unpackProgress } from './progress.ts';

export type UpdateSettings = AgentSettings & {
  /** How many tokens the model takes at once: as configured, as known, or as learned from a refusal. */
  contextTokens: () => number;
  learnContext: (tokens: number) => void;
};

type Parts = UpdateSettings & {
  language: Language;
  /** A run over a transaction of its own, under this policy. */
  writeRun: (policy: Policy) => WriteRun;
  isExcluded: (path: VaultPath) => boolean;
  /** Whether nobody tries again after this attempt. */
  isLast: () => boolean;
  /** What an earlier attempt has saved. */
  progress: () => Uint8Array | null;
  saveProgress: (progress: Uint8Array) => void;
  signal: AbortSignal;
};

/**
 * Files one update, in one transaction under the id of the update: a second one with that id cannot be made. A model
 * that fails throws, and then nothing has changed; one that files nothing in the last attempt, either, leaves what came in
 * to the person, in the inbox.
 */
export async function fileUpdate(
  { id, input }: { id: string; input: UpdateInput },
  parts: Parts,
): Promise<Filing> {
  const { writeRun, isExcluded } = parts;
  const rules = { received: receivedContents(input), isExcluded };
  const looking = writeRun(updatePolicy({ ...rules, isFromPerson: false }));
  const answered = input.inboxRef === undefined ? null : await findItem(looking, input.inboxRef);
  if (answered === undefined)
    return { kind: 'stopped', reason: `there is no inbox item ${input.inboxRef}; see: keepsake inbox` };
  const unusable = await unusableFile(looking);
  if (unusable !== null)
    return { kind: 'stopped', reason: `${showPath(unusable)} is not UTF-8 text; convert it` };
  const original = answered === null ? '' : await textAt(looking, childPath(answered, originalName));
  const isFromPerson = input.source.kind === 'person' && !isOfSomebodyElse(original);
  const policy = updatePolicy({ ...rules, isFromPerson });
  const words = `${input.text}\n${bodyOf(original)}`;
  const job = { ...parts, id, input, answered, words, newRun: () => writeRun(policy) };
  try {
    return await fileInPortions(job, parts);
  } catch (error) {
    const isModels = error instanceof ModelError && error.code === 'bad-answer';
    if (!isModels || !parts.isLast()) throw error;
    return keepInInbox(job, describeError(error), unpackProgress(parts.progress()));
  }
}

/** What fits into the model's context with room to work is one portion; else each is a conversation of its own. */
const shareForInput = 1 / 3;
const smallestPortion = 500;

async function fileInPortions(job: Job, parts: Parts): Promise<Filing> {
  const { contextTokens } = parts;
  let run = withinContext(job.newRun(), contextTokens());
  const saved = unpackProgress(parts.progress());
  if (saved !== null) run.transaction.restore(saved.staged);
  // Before what came in is laid out: this part is the same for every update, so providers can keep it in their cache.
  let context = await vaultContext(run);
  const incoming = saved?.incoming ?? (await stageIncoming(job.input, run, job.clock()));
  const sources = [...sourcesOf(incoming), ...(await sourcesInItem(job, run))];
  const summaries = saved?.summaries ?? [];
  let position: Position = saved?.next ?? beginning;
  const third = Math.max(smallestPortion, Math.floor(contextTokens() * shareForInput));
  let size = Math.min(saved?.size ?? third, third);
  let refusals = 0;
  for (;;) {
    const isWhole = position === beginning && tokensShown(sources) <= size;
    const [portion, ...rest] = isWhole ? [] : cutPortions(sources, position, size);
    const message =
      portion === undefined
        ? await presentInput(job, run, incoming)
        : await presentPortion(job, run, incoming, {
            portion,
            start: firstLines(sources),
            rest: rest.length,
            summaries,
          });
    const undo = run.transaction.savepoint();
    const one = { incoming, context, message, isWhole, isLast: rest.length === 0 };
    const filed = await fileOne(job, parts, run, one).catch((error: unknown) => {
      if (refusals === mostRefusals) throw error;
      return smallerSize(error, size, parts);
    });
    if (typeof filed === 'number') {
      refusals += 1;
      size = filed;
      undo();
      run = withinContext(run, contextTokens());
      context = await vaultContext(run);
      continue;
    }
    if (filed.kind !== 'further') return filed;
    position = portion?.next ?? beginning;
    refusals = 0;
    summaries.push(filed.summary);
    parts.saveProgress(
      packProgress({ next: position, size, summaries, incoming, staged: run.transaction.save() }),
    );
    context = await vaultContext(run);
  }
}

/** In a row, before it is given up. */
const mostRefusals = 3;

/** The size to try next when the model has refused because it was too much; every other error is thrown again. */
function smallerSize(error: unknown, size: number, { contextTokens, learnContext }: Parts): number {
  if (!(error instanceof ModelError) || error.code !== 'too-long') throw error;
  const context = statedContext(error.message) ?? Math.floor(contextTokens() / 2);
  learnContext(context);
  const smaller = Math.floor(Math.min(size / 2, context * shareForInput));
  if (smaller < smallestPortion) throw error;
  return smaller;
}

/** The texts that came in, as they were laid out. */
function sourcesOf({ files, shown }: Incoming): Source[] {
  return shown.flatMap((path) =>
    kindOf(nameOf(path)) === 'markdown'
      ? [{ path, lines: splitLines(files.get(path)?.toString() ?? '') }]
      : [],
  );
}

/** What lies in the item that is answered, but for its question. */
async function sourcesInItem({ answered }: Job, run: WriteRun): Promise<Source[]> {
  const contents = answered === null ? undefined : folderIn(await run.view.contents(answered), answered);
  const paths = contents === undefined ? [] : [...filePathsBelow(contents)];
  const sources: Source[] = [];
  for (const path of paths)
    if (kindOf(nameOf(path)) === 'markdown' && nameOf(path) !== reviewName)
      sources.push({ path, lines: splitLines(await textAt(run, path)) });
  return sources;
}

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
async function fileOne(job: Job, parts: Parts, run: WriteRun, one: One): Promise<Filed> {
  const { incoming, context, message, isWhole, isLast } = one;
  const { id, input, answered } = job;
  const conversation = startConversation({
    ...parts,
    run: id,
    instructions: readPrompt('update'),
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
      conversation.say({ text: tellWhatCounts(incoming, answered), images: [] });
      continue;
    }
    const entries = await newChangelogEntries(run);
    if (account?.kind === 'filed' && !hasAskedForEntry && entries !== 1) {
      hasAskedForEntry = true;
      conversation.say({ text: askForEntry(entries), images: [] });
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
    const committed = await commit(run, { id, origin: originOf(input), summary: titleOf(summary) });
    if (committed.kind !== 'failed' || committed.code !== 'conflict')
      return { kind: 'over', result: resultOf(committed, { summary, paths, asked, known }) };
    undoCompletion();
    conflicts += 1;
    if (conflicts > mostConflicts) return askAboutConflict(job, committed);
    returnConflict(conversation, run, committed);
    restage(incoming, run);
  }
}

const mostConflicts = 3;

function isDone({ tool, outcome }: Called): boolean {
  return tool !== 'tree' && outcome.kind === 'result' && outcome.result.value.errors.length === 0;
}

const mark = /^[\s>#*_-]*summary[*_]*\s*:[\s*_]*/im;

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
  return new ModelError('bad-answer', `${model} filed nothing of it ${words}`, {
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
  const what = `exactly one new entry in ${showPath(changelogPath)}: a heading of the second level under today's date, on top, with a line or two below it`;
  return entries === 0
    ? `Every update has ${what}. There is none yet: add it with append, and repeat your summary with it.`
    : `Every update has ${what}. There are ${entries}: make one of them, and repeat your summary with it.`;
}

/** Undefined when there is none of that name. */
async function findItem(run: WriteRun, name: string): Promise<VaultPath | undefined> {
  const item = openItems(await run.view.contents(inboxPath)).find(([each]) => each === name.normalize('NFC'));
  return item?.[1].path;
}

async function textAt(run: WriteRun, path: VaultPath): Promise<string> {
  return (await bytesAt(run, path))?.toString() ?? '';
}

/** A file that every update has to change, and that cannot be changed. */
async function unusableFile(run: WriteRun): Promise<VaultPath | null> {
  for (const path of [changelogPath, overviewPath]) {
    const bytes = await bytesAt(run, path);
    if (bytes !== null && decodeText(bytes).kind !== 'text') return path;
  }
  return null;
}

/** What came in and whose move was taken back lies where it lay before. */
function restage({ files }: Incoming, run: WriteRun): void {
  for (const [path, bytes] of files) if (isTakenBack(run, path)) run.transaction.place(path, bytes);
}

/** The agent's changes to those files are taken back; it sees them as they are now and makes its changes anew. */
function returnConflict(conversation: Conversation, run: WriteRun, { conflicts, text }: CommitFailure): void {
  const paths = conflicts.map(({ path }) => path);
  const lost = paths.map((path) => takenBack(run, path)).filter((each) => each !== '');
  run.transaction.drop(paths);
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

/** The lines that a staged file has and did not have before, as a block. */
function takenBack({ transaction }: WriteRun, path: VaultPath): string {
  const before = new Set(splitLines(transaction.before(path)?.toString() ?? ''));
  const lines = splitLines(transaction.staged().get(path)?.toString() ?? '');
  const added = lines.filter((line) => line.trim() !== '' && !before.has(line));
  return added.length === 0 ? '' : block(showPath(path), added.join('\n'));
}
