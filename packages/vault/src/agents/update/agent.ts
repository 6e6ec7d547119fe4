import type { Changes, Policy } from '../../changes/index.ts';
import { describeError, otherReason, reasonFor } from '../../contract/index.ts';
import type { UpdateInput } from '../../contract/index.ts';
import { ModelError } from '../../models/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  bodyOf,
  childPath,
  decodeText,
  filePathsBelow,
  folderIn,
  inboxPath,
  kindOf,
  nameOf,
  openItems,
  originalName,
  reviewName,
  showPath,
  splitLines,
} from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import type { AgentSettings } from '../conversation.ts';
import { vaultContext, withinContext } from '../opening.ts';
import { keepInInbox } from './ask-person.ts';
import { filePortion } from './file-portion.ts';
import type { Filing, Job } from './filing.ts';
import { receivedContents, stageIncoming } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { bytesAt, textAt } from './place.ts';
import { updatePolicy } from './policy.ts';
import { beginning, cutPortions, firstLines, tokensShown } from './portions.ts';
import type { Portion, Position, Source } from './portions.ts';
import { presentInput, presentPortion } from './present.ts';
import { packProgress, unpackProgress } from './progress.ts';
import type { Progress } from './progress.ts';

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
  /** What is known of whose words led to the files of an item. */
  changes: Pick<Changes, 'isPersons'>;
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
  const looking = writeRun(updatePolicy({ ...rules, isPersons: false, said: '', answered: null }));
  const answered = input.inboxRef === undefined ? null : await findItem(looking, input.inboxRef);
  if (answered === undefined)
    return { kind: 'stopped', reason: reasonFor('no-item', { item: input.inboxRef ?? '' }) };
  const unusable = await problemWithFiles(looking, isExcluded);
  if (unusable !== null) return { kind: 'stopped', reason: otherReason(unusable) };
  const original =
    answered === null ? '' : ((await textAt(looking, childPath(answered, originalName))) ?? '');
  const saved = unpackProgress(parts.progress());
  const isPersons =
    input.source.kind === 'person' &&
    // What an earlier attempt has staged may come from words that are not in the item any more.
    (saved === null || saved.isPersons) &&
    (answered === null || (await isItemOfPerson(looking, answered, parts)));
  const words = `${input.text}\n${bodyOf(original)}`;
  const policy = updatePolicy({ ...rules, isPersons, said: words, answered });
  const job = { ...parts, id, input, answered, words, isPersons, newRun: () => writeRun(policy) };
  try {
    return await fileInPortions(job, parts, saved);
  } catch (error) {
    const isUnfit = error instanceof ModelError && error.code === 'unfit';
    if (!isUnfit || !parts.isLast()) throw error;
    return keepInInbox(job, describeError(error), unpackProgress(parts.progress()));
  }
}

/** What fits into the model's context with room to work is one portion; else each is a conversation of its own. */
const shareForInput = 1 / 3;
const smallestPortion = 500;

async function fileInPortions(job: Job, parts: Parts, saved: Progress | null): Promise<Filing> {
  const { contextTokens } = parts;
  let run = withinContext(job.newRun(), contextTokens());
  if (saved !== null) run.transaction.restore(saved.staged);
  // Before what came in is laid out: this part is the same for every update, so providers can keep it in their cache.
  let context = await vaultContext(run);
  const incoming = saved?.incoming ?? (await stageIncoming(job.input, run, job.clock()));
  const sources = [...sourcesOf(incoming), ...(await sourcesInItem(job, run))];
  const summaries = saved?.summaries ?? [];
  let position: Position = saved?.next ?? beginning;
  const third = Math.max(smallestPortion, Math.floor(contextTokens() * shareForInput));
  let size = Math.min(saved?.size ?? third, third);
  // None when all of it fits as it is; cut anew only when the size becomes another.
  const cut = (): Portion[] =>
    position === beginning && tokensShown(sources) <= size ? [] : cutPortions(sources, position, size);
  let left = cut();
  let refusals = 0;
  for (;;) {
    const [portion, ...rest] = left;
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
    const isWhole = portion === undefined;
    const one = { incoming, context, message, isWhole, isLast: rest.length === 0 };
    const filed = await filePortion(job, parts, run, one).catch((error: unknown) => {
      if (refusals === mostRefusals) throw error;
      return smallerSize(error, size, parts);
    });
    if (typeof filed === 'number') {
      refusals += 1;
      size = filed;
      left = cut();
      undo();
      run = withinContext(run, contextTokens());
      context = await vaultContext(run);
      continue;
    }
    if (filed.kind !== 'further') return filed;
    position = portion?.next ?? beginning;
    left = rest;
    refusals = 0;
    summaries.push(filed.summary);
    parts.saveProgress(
      packProgress({
        next: position,
        size,
        summaries,
        incoming,
        isPersons: job.isPersons,
        staged: run.transaction.save(),
      }),
    );
    context = await vaultContext(run);
  }
}

/** In a row, before it is given up. */
const mostRefusals = 3;

/** The size to try next when the model has refused because it was too much; every other error is thrown again. */
function smallerSize(error: unknown, size: number, { contextTokens, learnContext }: Parts): number {
  if (!(error instanceof ModelError) || error.code !== 'too-long') throw error;
  const context = error.contextTokens ?? Math.floor(contextTokens() / 2);
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
  const sources: Source[] = [];
  for (const path of answered === null ? [] : await filesIn(run, answered))
    if (kindOf(nameOf(path)) === 'markdown' && nameOf(path) !== reviewName)
      sources.push({ path, lines: splitLines((await textAt(run, path)) ?? '') });
  return sources;
}

/**
 * Whether nobody's words but the person's have led to what lies in an inbox item. What its files say of that counts for
 * nothing: an agent that obeys somebody else may have written them.
 */
async function isItemOfPerson(run: WriteRun, item: VaultPath, { changes }: Parts): Promise<boolean> {
  for (const path of await filesIn(run, item)) {
    const bytes = await bytesAt(run, path);
    if (bytes === null || !(await changes.isPersons(path, bytes))) return false;
  }
  return true;
}

async function filesIn(run: WriteRun, item: VaultPath): Promise<VaultPath[]> {
  const contents = folderIn(await run.view.contents(item), item);
  return contents === undefined ? [] : [...filePathsBelow(contents)];
}

/** Undefined when there is none of that name. */
async function findItem(run: WriteRun, name: string): Promise<VaultPath | undefined> {
  const item = openItems(await run.view.contents(inboxPath)).find(([each]) => each === name.normalize('NFC'));
  return item?.[1].path;
}

/** Why a file that every update has to change cannot be changed, or is not known; null when nothing is wrong. */
async function problemWithFiles(run: WriteRun, isExcluded: Parts['isExcluded']): Promise<string | null> {
  const { problem, changelogPath, overviewPath } = run.view.layout();
  if (problem !== null)
    return `.keepsake/vault.json names files that cannot be used (${problem}); see: keepsake doctor`;
  for (const path of [changelogPath, overviewPath]) {
    if (isExcluded(path))
      return `${showPath(path)} is kept from models (agents.exclude), and every update has to write there`;
    const bytes = await bytesAt(run, path);
    if (bytes !== null && decodeText(bytes).kind !== 'text')
      return `${showPath(path)} is not UTF-8 text; convert it`;
  }
  return null;
}
