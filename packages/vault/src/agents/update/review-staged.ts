import { formatLocalTime, formatReason } from '../../contract/index.ts';
import type { Reason, Receipt } from '../../contract/index.ts';
import type { ChatContent } from '../../models/index.ts';
import { describeFileChange, reviewUpdate } from '../../review/index.ts';
import type { Removal, Review, ReviewedFile, ReviewedUpdate } from '../../review/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { baseName, extractUserText, fileKindOf, formatPath, isProfileFile } from '../../vault/index.ts';
import type { Layout, VaultPath } from '../../vault/index.ts';
import type { ExecutedCall } from '../conversation.ts';
import { keepsChangelog } from '../vault-context.ts';
import type { CitedLines } from './check-filed.ts';
import { pathsChangedByAgent } from './stage-input.ts';
import type { StagedInput } from './stage-input.ts';
import type { UpdateJob } from './update-job.ts';
import type { UpdateSecrets } from './update-secrets.ts';

export type ReviewOptions = {
  run: WriteRun;
  incoming: StagedInput;
  text: TextToCover;
  summary: string;
  known: readonly CitedLines[];
  /** All calls so far, including failed ones. */
  calls: readonly ExecutedCall[];
  /** The first messages to the agent: the state of the vault, and the input. */
  context: string;
  message: ChatContent;
};

/** What must be found in what was filed or known. Empty if all of it is kept anyway. */
export type TextToCover = Pick<ReviewedUpdate, 'toCover' | 'answer' | 'numbersToCover'>;

/** Sentences that were not found are searched in the vault: the agent may know them without naming the lines. */
const maxSearchedSentences = 20;

/**
 * Reviews the staged changes before they are committed. The input has masks instead of its secrets, so masked text is
 * compared with masked text.
 */
export async function reviewStaged(job: UpdateJob, options: ReviewOptions): Promise<Review> {
  const { run, incoming, text, summary, known, calls, context, message } = options;
  const folders = [incoming.folder, ...(job.answered === null ? [] : [job.answered])].map(formatPath);
  const { hide } = job.secrets;
  const firstWrite = calls.findIndex((call) => !isLook(call.tool) && !hasFailed(call));
  const firstLater = firstWrite === -1 ? calls.length : firstWrite;
  const [input, shown] = partition(looksIn(calls.slice(0, firstLater), hide), (each) =>
    folders.some((folder) => each.includes(folder)),
  );
  const { receivedAt } = job.input;
  const update: ReviewedUpdate = {
    input: job.inputText,
    ...text,
    isUserAuthored: job.isUserAuthored,
    files: reviewedFiles(run, incoming, job),
    shown: [hide(context), ...shown],
    shownLater: looksIn(calls.slice(firstLater), hide),
    attached: [hide(message.text), ...input],
    hasImages: message.images.length > 0 || calls.some(showsImages),
    known: known.map((lines) => lines.text),
    summary,
    keepsChangelog: await keepsChangelog(run),
    hasLooked: calls.some(({ tool, outcome }) => isLook(tool) && outcome.kind === 'result'),
    failedCalls: unrepairedCalls(calls),
    days: [job.clock(), ...(receivedAt === undefined ? [] : [receivedAt])].map((time) =>
      formatLocalTime(time).slice(0, 10),
    ),
  };
  const review = reviewUpdate(update);
  if (review.uncovered.length === 0) return review;
  const found = await searchSentences(run, review.uncovered.slice(0, maxSearchedSentences));
  // Search also finds what the agent has just written, so its results support no names or numbers.
  const { uncovered, leftOut } = reviewUpdate({
    ...update,
    shown: [...update.shown, ...found.map((each) => hide(each))],
  });
  return { ...review, uncovered, leftOut };
}

/** The passages that fast search finds for each sentence. */
async function searchSentences(run: WriteRun, sentences: readonly string[]): Promise<string[]> {
  const outcomes = await Promise.all(
    sentences.map((sentence) => run.search({ queries: [sentence], mode: 'fast', limit: 5 })),
  );
  return outcomes.flatMap((outcome) =>
    outcome.kind === 'found' ? outcome.passages.map(({ shownLines }) => shownLines.join('\n')) : [],
  );
}

function partition<Item>(items: readonly Item[], test: (item: Item) => boolean): [Item[], Item[]] {
  return [items.filter(test), items.filter((item) => !test(item))];
}

function showsImages({ outcome }: ExecutedCall): boolean {
  return outcome.kind === 'result' && outcome.result.images.length > 0;
}

function isLook(tool: string): boolean {
  return tool === 'search' || tool === 'read' || tool === 'tree';
}

function looksIn(calls: readonly ExecutedCall[], hide: UpdateSecrets['hide']): string[] {
  return calls.filter(({ tool }) => isLook(tool)).map((call) => hide(shownBy(call)));
}

function shownBy({ outcome }: ExecutedCall): string {
  return outcome.kind === 'refused' ? outcome.message : outcome.result.text;
}

/**
 * The notes that the agent changed, and other files that it deleted. In the inbox, only those of items that the update does not
 * answer: code keeps the files of the answered item and of questions.
 */
function reviewedFiles(
  run: WriteRun,
  incoming: StagedInput,
  { answered, secrets: { hide } }: Pick<UpdateJob, 'answered' | 'secrets'>,
): ReviewedFile[] {
  const { isInInbox } = run.view.layout();
  const { transaction } = run;
  const isKept = (path: VaultPath): boolean =>
    isInInbox(path) &&
    (transaction.before(path) == null || (answered !== null && path.startsWith(`${answered}/`)));
  return pathsChangedByAgent(run, incoming)
    .filter((path) => !isKept(path))
    .flatMap((path): ReviewedFile[] => {
      if (fileKindOf(baseName(path)) === 'markdown') return [toReviewedFile(run, path, { hide })];
      const isDeleted = transaction.staged().get(path) === null && transaction.movedTo(path) === undefined;
      return isDeleted ? [{ path: formatPath(path), kind: 'note', before: '', after: null }] : [];
    });
}

type MaskOptions = {
  hide: UpdateSecrets['hide'];
  /** The masked texts of files into which secrets were restored. */
  maskedTexts?: ReadonlyMap<VaultPath, string>;
};

function toReviewedFile(
  { transaction, view }: WriteRun,
  path: VaultPath,
  { hide, maskedTexts }: MaskOptions,
): ReviewedFile {
  const layout = view.layout();
  const text = (content: Buffer | string | null | undefined): string | null =>
    content == null
      ? null
      : extractUserText(hide(content.toString()), layout.isOverview(path)).replace(/^[\s\S]*?\n---\n/, '');
  return {
    path: formatPath(path),
    kind: fileRole(path, layout),
    before: text(transaction.before(path)),
    after: text(maskedTexts?.get(path) ?? transaction.staged().get(path)),
  };
}

function fileRole(path: VaultPath, { isChangelog, isTaskList }: Layout): ReviewedFile['kind'] {
  if (isProfileFile(path)) return 'profile';
  if (isTaskList(path)) return 'tasks';
  return isChangelog(path) ? 'changelog' : 'note';
}

/** Failed calls after which no call of a writing tool to the same path succeeded. */
function unrepairedCalls(calls: readonly ExecutedCall[]): string[] {
  return calls.flatMap((call, index) => {
    if (isLook(call.tool) || !hasFailed(call)) return [];
    const target = targetOf(call);
    const isRepaired = calls
      .slice(index + 1)
      .some((later) => !isLook(later.tool) && !hasFailed(later) && targetOf(later) === target);
    return isRepaired ? [] : [`${call.tool}${target === '' ? '' : ` ${target}`}`];
  });
}

function hasFailed({ outcome }: ExecutedCall): boolean {
  return outcome.kind === 'refused' || outcome.result.value.errors.length > 0;
}

function targetOf({ input }: ExecutedCall): string {
  const { path, from } = (typeof input === 'object' && input !== null ? input : {}) as {
    path?: unknown;
    from?: unknown;
  };
  return typeof path === 'string' ? path : typeof from === 'string' ? from : '';
}

type RepairOptions = { entry: string | null; review: Review; isUserAuthored: boolean };

/** An agent is asked at most twice, and only once about the same kind of problem. */
const maxRepairs = 2;

/** The message that asks the agent to repair its changes; null if nothing is wrong or it was already asked. */
export function nextRepair(
  { entry, review, isUserAuthored }: RepairOptions,
  asked: Set<string>,
): string | null {
  const problems = new Map([
    ...(entry === null ? [] : [['entry', entry] as const]),
    ...reviewProblems(review, isUserAuthored),
  ]);
  const isNew = [...problems.keys()].some((kind) => !asked.has(kind));
  if (!isNew || asked.has(`round ${maxRepairs}`)) return null;
  asked.add(asked.has('round 1') ? `round ${maxRepairs}` : 'round 1');
  for (const kind of problems.keys()) asked.add(kind);
  return [
    'Nothing is saved yet: a check found problems.',
    ...problems.values(),
    'Then repeat your summary, in the same message as your last changes.',
  ].join('\n\n');
}

/** At most this many sentences or titles are listed in one message. */
const maxListed = 12;

/** What the review found, as requests to the agent by kind. Input of others is kept as it is instead of asking for every sentence. */
function reviewProblems(review: Review, isUserAuthored: boolean): Map<string, string> {
  const { uncovered, unnamed, replaced, inventions, unread, failedCalls } = review;
  const problems = new Map<string, string>();
  if (uncovered.length > 0 && isUserAuthored)
    problems.set(
      'uncovered',
      `These sentences of the input are in none of your changes. File them, or name those that are not worth keeping in your summary as \`Left out: "…"\`:\n${list(uncovered)}`,
    );
  if (unnamed.length > 0)
    problems.set(
      'unnamed',
      `You removed the following, but neither the input nor your changelog entry names it. Restore what should stay, and name the rest in the entry:\n${list(unnamed.map(formatRemoval))}`,
    );
  if (replaced.length > 0)
    problems.set(
      'replaced',
      `Your edits removed these sentences, which the input is not about. Restore those that are still true:\n${list(replaced.map(formatRemoval))}`,
    );
  if (inventions.length > 0)
    problems.set(
      'inventions',
      `These names, numbers or dates are neither in the input nor in the files you have seen. Remove or correct them:\n${list(inventions.map(({ path, values }) => `${path}: ${values.join(', ')}`))}`,
    );
  if (unread.length > 0)
    problems.set(
      'unread',
      `You changed ${unread.join(', ')} without searching first. Search for what the vault already says about this, and correct your changes if needed.`,
    );
  if (failedCalls.length > 0)
    problems.set(
      'failed',
      `These calls failed and were not repeated: ${failedCalls.join('; ')}. Repeat them correctly, or leave them out if they are not needed.`,
    );
  return problems;
}

function formatRemoval({ path, kind, title }: Removal): string {
  return kind === 'file' ? path : `${path}: ${title}`;
}

function list(items: readonly string[]): string {
  const shown = items.slice(0, maxListed).map((item) => `- ${shorten(item, 200)}`);
  return [...shown, ...(items.length > maxListed ? [`- … and ${items.length - maxListed} more`] : [])].join(
    '\n',
  );
}

function shorten(text: string, max: number): string {
  const line = text.replaceAll(/\s+/g, ' ').trim();
  return line.length > max ? `${line.slice(0, max - 1)}…` : line;
}

/** Why the user has to approve the update; null if it can be committed. */
export function reviewHoldReason(review: Review): Reason | null {
  const { causedByOthers, unnamed, unrequested, inventions } = review;
  if (causedByOthers.length > 0) return formatReason('removes-for-others', { names: names(causedByOthers) });
  if (unnamed.length > 0)
    return formatReason('removes-unnamed', { count: unnamed.length, names: names(unnamed) });
  if (unrequested.length > 0)
    return formatReason('removes-unrequested', { count: unrequested.length, names: names(unrequested) });
  const profile = inventions.find(({ path }) => path === 'vault/profile.md');
  return profile === undefined
    ? null
    : formatReason('unsupported-profile', { path: profile.path, values: quoteAll(profile.values) });
}

function names(removals: readonly Removal[]): string {
  const shown = removals.slice(0, 5).map((removal) => `"${shorten(removal.title, 60)}"`);
  return [...shown, ...(removals.length > 5 ? ['…'] : [])].join(', ');
}

function quoteAll(values: readonly string[]): string {
  return values.map((value) => `"${value}"`).join(', ');
}

type ReceiptOptions = MaskOptions & { review: Review; notFiled: string[]; keptAsReceived: string[] };

/** The receipt of an update whose changes are complete. It is derived from masked text, also where secrets were restored. */
export function createReceipt(run: WriteRun, options: ReceiptOptions): Receipt {
  const { review, notFiled, keptAsReceived } = options;
  const { transaction } = run;
  const moves = new Map([...transaction.moves()].map(([from, to]) => [to, from]));
  const moved = new Set(moves.values());
  const files = [...transaction.staged().keys()].flatMap((path) => {
    const source = moves.get(path);
    // A file of the input was not in the vault before.
    const from = source !== undefined && transaction.before(source) != null ? source : undefined;
    const file = toReviewedFile(run, path, options);
    const before = from === undefined ? file.before : toReviewedFile(run, from, options).before;
    const change = describeFileChange({
      ...file,
      before,
      ...(from !== undefined && { from: formatPath(from) }),
    });
    return moved.has(path) || (from === undefined && isSameText(run, path)) ? [] : [change];
  });
  return {
    files,
    keptAsReceived,
    notFiled,
    leftOut: review.leftOut,
    unsupported: review.inventions,
    failedCalls: review.failedCalls,
  };
}

/** Whether only stamps or the status of the overview, which code maintains, differ. */
function isSameText({ transaction, view }: WriteRun, path: VaultPath): boolean {
  const [before, after] = [transaction.before(path), transaction.staged().get(path)];
  const text = (bytes: Buffer): string => extractUserText(bytes.toString(), view.layout().isOverview(path));
  return before != null && after != null && text(before) === text(after);
}
