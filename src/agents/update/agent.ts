import type { Policy } from '../../changes/index.ts';
import type { UpdateInput, UpdateResult } from '../../contract/index.ts';
import { ModelError } from '../../models/index.ts';
import type { ChatContent } from '../../models/index.ts';
import { commit, tools } from '../../tools/index.ts';
import type { CommitFailure, CommitOutcome, WriteRun } from '../../tools/index.ts';
import {
  changelogPath,
  childPath,
  decodeText,
  inboxPath,
  joinBlocks,
  nameOf,
  openItems,
  originalName,
  overviewPath,
  reviewName,
  showFolder,
  showPath,
} from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import { bindTools } from '../bind-tools.ts';
import { startConversation } from '../conversation.ts';
import type { Conversation, AgentSettings } from '../conversation.ts';
import { readAsModel, today, vaultContext } from '../opening.ts';
import { readPrompt } from '../read-prompt.ts';
import { completeUpdate, newChangelogEntries, touchedPaths } from './complete.ts';
import { isOfSomebodyElse, receivedContents, stageIncoming } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { bytesAt, isTakenBack } from './place.ts';
import { updatePolicy } from './policy.ts';
import { reviewOfConflict } from './review.ts';

type Parts = AgentSettings & {
  language: Language;
  /** A run over a transaction of its own, under this policy. */
  writeRun: (policy: Policy) => WriteRun;
  isExcluded: (path: VaultPath) => boolean;
  signal: AbortSignal;
};

/** `stopped` when a bound was reached or it cannot be done at all: trying again would not help. */
export type Filing = { kind: 'over'; result: UpdateResult } | { kind: 'stopped'; reason: string };

type Update = { id: string; input: UpdateInput };

const mostConflicts = 3;
/** What came in may be longer than what a tool shows at once. */
const inputBounds = { tokens: 120_000, images: 20 };

/**
 * Files one update, in one transaction under the id of the update: a second one with that id cannot be made. A model
 * that fails throws, and then nothing has changed.
 */
export async function fileUpdate({ id, input }: Update, parts: Parts): Promise<Filing> {
  const { writeRun, isExcluded, clock, signal } = parts;
  const rules = { received: receivedContents(input), isExcluded };
  const looking = writeRun(updatePolicy({ ...rules, isFromPerson: false }));
  const answered = input.inboxRef === undefined ? null : await findItem(looking, input.inboxRef);
  if (answered === undefined)
    return { kind: 'stopped', reason: `there is no inbox item ${input.inboxRef}; see: keepsake inbox` };
  const unusable = await unusableFile(looking);
  if (unusable !== null)
    return { kind: 'stopped', reason: `${showPath(unusable)} is not UTF-8 text; convert it` };
  const isFromPerson =
    input.source.kind === 'person' && (answered === null || !(await isOthers(looking, answered)));
  const policy = updatePolicy({ ...rules, isFromPerson });
  const run = writeRun(policy);
  // Before what came in is laid out: this part is the same for every update, so providers can keep it in their cache.
  const context = await vaultContext(run);
  const incoming = await stageIncoming(input, run, clock());
  const conversation = startConversation({
    ...parts,
    run: id,
    instructions: readPrompt('update'),
    tools: bindTools(
      tools.filter(({ name }) => name !== 'concat'),
      run,
    ),
  });
  conversation.say(context, await presentInput(run, input, incoming, answered, clock()));

  let hasAskedForEntry = false;
  for (let conflicts = 0; ;) {
    const turn = await conversation.proceed();
    if (turn.kind === 'stopped') return turn;
    const touched = touchedPaths(run, incoming);
    if (turn.text === '' && touched.length === 0)
      throw new ModelError('bad-answer', `${parts.model.name} did nothing and said nothing`, {
        mend: 'it is tried again, or choose another model',
      });
    if (touched.length > 0 && !hasAskedForEntry && (await newChangelogEntries(run)) !== 1) {
      hasAskedForEntry = true;
      conversation.say({ text: askForEntry, images: [] });
      continue;
    }
    const summary = turn.text === '' ? (input.text.split('\n')[0] ?? '') : turn.text;
    const undoCompletion = run.transaction.savepoint();
    const asked = await completeUpdate({ ...parts, run, incoming, answered, summary, now: clock() });
    const paths = [...run.transaction.staged().keys()].map(showPath);
    // The last moment at which it can still be stopped: what is committed stays.
    signal.throwIfAborted();
    const committed = await commit(run, { id, origin: originOf(input), summary: titleOf(summary) });
    if (committed.kind !== 'failed' || committed.code !== 'conflict')
      return { kind: 'over', result: resultOf(committed, { summary, paths, asked }) };
    undoCompletion();
    conflicts += 1;
    if (conflicts > mostConflicts) return askAboutConflict({ id, input }, committed, policy, parts);
    returnConflict(conversation, run, committed);
    restage(incoming, run);
  }
}

const askForEntry = [
  `Every update has exactly one new entry in ${showPath(changelogPath)}: a heading of the second level under today's date, on`,
  'top, with a line or two below it. Add it with append, or make several into one, and then repeat your summary.',
].join(' ');

/** Undefined when there is none of that name. */
async function findItem(run: WriteRun, name: string): Promise<VaultPath | undefined> {
  const item = openItems(await run.view.contents(inboxPath)).find(([each]) => each === name.normalize('NFC'));
  return item?.[1].path;
}

/** Whether an inbox item is about the words of somebody else. */
async function isOthers(run: WriteRun, item: VaultPath): Promise<boolean> {
  return isOfSomebodyElse((await bytesAt(run, childPath(item, originalName)))?.toString() ?? '');
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

/** What came in is shown as files are, line by line with numbers, so that nothing in it can pass for our words. */
async function presentInput(
  run: WriteRun,
  { source, inboxRef }: UpdateInput,
  { folder, shown }: Incoming,
  answered: VaultPath | null,
  now: number,
): Promise<ChatContent> {
  const input = await readAsModel({ ...run, bounds: inputBounds }, shown.map(showPath));
  const item = answered === null ? null : await readAsModel(run, [showFolder(answered)]);
  const from = source.kind === 'person' ? 'the words of the person' : 'not the words of the person';
  const texts = [
    `It is ${today(now)}. File this. It comes from ${JSON.stringify(source.name)}: ${from}. It lies in ${showFolder(folder)}.`,
    input.text,
    ...(item === null
      ? []
      : [`It answers the question you asked in the inbox item ${inboxRef}, which follows.`, item.text]),
  ];
  return { text: joinBlocks(texts), images: [...input.images, ...(item?.images ?? [])] };
}

/** The agent's changes to those files are taken back; it sees them as they are now and makes its changes anew. */
function returnConflict(conversation: Conversation, run: WriteRun, { conflicts, text }: CommitFailure): void {
  const paths = conflicts.map(({ path }) => path);
  run.transaction.drop(paths);
  for (const path of paths) run.filesRead.delete(path);
  const names = paths.map(showPath).join(', ');
  conversation.say({
    text: joinBlocks([
      `While you worked, somebody changed ${names}. Your changes to it were taken back; all others stand. Read it again, make your change on what is there now, and repeat your summary.`,
      text,
    ]),
    images: [],
  });
}

/** After so many conflicts a person decides: both versions go to the inbox, with what came in. */
async function askAboutConflict(
  { id, input }: Update,
  { conflicts }: CommitFailure,
  policy: Policy,
  { writeRun, clock, language }: Parts,
): Promise<Filing> {
  const run = writeRun(policy);
  const incoming = await stageIncoming(input, run, clock());
  const review = childPath(incoming.folder, reviewName);
  const staged = run.transaction.put(review, null, Buffer.from(reviewOfConflict(conflicts, language)));
  if (!staged.ok) throw new Error(`${review}: ${staged.reason}`);
  const summary = `${showFolder(incoming.folder)}: ${conflicts.map(({ path }) => showPath(path)).join(', ')}`;
  const asked = await completeUpdate({ run, incoming, answered: null, summary, now: clock(), language });
  const paths = [...run.transaction.staged().keys()].map(showPath);
  const committed = await commit(run, { id, origin: originOf(input), summary: titleOf(summary) });
  if (committed.kind === 'failed' && committed.code === 'conflict')
    throw new Error('the files it needs are changed all the time; try again later');
  return { kind: 'over', result: resultOf(committed, { summary, paths, asked }) };
}

function resultOf(
  committed: CommitOutcome,
  { summary, paths, asked }: { summary: string; paths: string[]; asked: VaultPath | null },
): UpdateResult {
  switch (committed.kind) {
    case 'made':
      return committed.change === null
        ? { kind: 'unchanged', summary }
        : { kind: 'filed', summary, paths, asked: asked === null ? null : nameOf(asked) };
    case 'held':
      return { kind: 'held', summary, paths, reason: committed.reason };
    case 'failed':
      throw new Error(committed.message);
  }
}

function originOf({ source }: UpdateInput): string {
  return `update agent, ${source.name}`;
}

/** One line for history. */
function titleOf(summary: string): string {
  const [line = ''] = summary.split('\n');
  return line.length > 100 ? `${line.slice(0, 99)}…` : line;
}
