import type { Changes, WritePolicy } from '../../changes/index.ts';
import { describeError, otherReason, formatReason } from '../../contract/index.ts';
import type { Reason, UpdateInput } from '../../contract/index.ts';
import { ModelError } from '../../models/index.ts';
import type { ChatContent } from '../../models/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  extractBody,
  childPath,
  decodeText,
  fileKindOf,
  baseName,
  joinBlocks,
  originalName,
  reviewName,
  formatPath,
  splitLines,
} from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import type { AgentOptions } from '../conversation.ts';
import { hideInRequests } from '../hide-in-requests.ts';
import { parseForgetRequest } from '../forget/parse-forget-request.ts';
import { proposeForgetting } from '../forget/propose-forgetting.ts';
import type { FindWords } from '../forget/propose-forgetting.ts';
import { formatSampleNotes } from '../sample-notes.ts';
import { formatVaultContext, limitToContext } from '../vault-context.ts';
import { moveToInbox } from './create-review.ts';
import { filePart } from './file-part.ts';
import { findInboxItem, listItemFiles } from './inbox-item.ts';
import type { FilingClient, UpdateOutcome, UpdateJob } from './update-job.ts';
import { inputExtensionsByRevision, stageInput } from './stage-input.ts';
import type { StagedInput } from './stage-input.ts';
import { readBytes, readText } from './staged-files.ts';
import { createUpdatePolicy } from './policy.ts';
import { startPosition, splitInput, formatHead, estimateTokens } from './split-input.ts';
import type { InputPart, InputPosition, InputText } from './split-input.ts';
import { formatInput, formatPart } from './format-input.ts';
import { createUpdateSecrets, restoreAll } from './update-secrets.ts';
import type { SecretStore } from './update-secrets.ts';
import { serializeProgress, deserializeProgress } from './progress.ts';
import type { FilingProgress } from './progress.ts';

export type UpdateAgentOptions = AgentOptions & {
  /** Context size of the model in tokens: configured, reported by the provider, or learned from an error. */
  contextTokens: () => number;
  setContextTokens: (tokens: number) => void;
};

type FileUpdateOptions = UpdateAgentOptions & {
  language: Language;
  /** Creates a run with its own transaction under this policy. */
  createWriteRun: (policy: WritePolicy) => WriteRun;
  isExcluded: (path: VaultPath) => boolean;
  /** Tells whether the content of a file comes from the user. */
  changes: Pick<Changes, 'isUserAuthored' | 'writer'>;
  /** Where words are that the user asks to forget. */
  findWords: FindWords;
  /** Whether the model has already failed to file this update. */
  hasFailed: boolean;
  /** Whether there is no further attempt after this one. */
  isLast: () => boolean;
  /** The progress saved by an earlier attempt. */
  progress: () => Uint8Array | null;
  saveProgress: (progress: Uint8Array) => void;
  secretStore: SecretStore;
  signal: AbortSignal;
  client?: FilingClient;
};

/**
 * Files one update in one transaction with the id of the update, which can be committed only once. Throws without
 * changing anything if the model fails. If the model files nothing in the last attempt either, the input goes to the
 * inbox.
 */
export async function fileUpdate(
  { id, input }: { id: string; input: UpdateInput },
  parts: FileUpdateOptions,
): Promise<UpdateOutcome> {
  const { createWriteRun, isExcluded } = parts;
  const secrets = createUpdateSecrets(input.secretLabel, parts.secretStore);
  const { hideInReason } = secrets;
  const rules = { received: inputExtensionsByRevision(input), isExcluded, hideInReason };
  const probeRun = createWriteRun(
    createUpdatePolicy({
      ...rules,
      isUserAuthored: false,
      statedText: '',
      answered: null,
      reviewReason: () => null,
    }),
  );
  const answered = input.inboxRef === undefined ? null : await findInboxItem(probeRun, input.inboxRef);
  if (answered === undefined)
    return { kind: 'stopped', reason: formatReason('no-item', { item: input.inboxRef ?? '' }) };
  const unusable = await checkRequiredFiles(probeRun, isExcluded);
  if (unusable !== null) return { kind: 'stopped', reason: otherReason(unusable) };
  const original =
    answered === null ? '' : ((await readText(probeRun, childPath(answered, originalName))) ?? '');
  const request = answered === null && input.files.length === 0 ? parseForgetRequest(input.text) : null;
  if (request !== null) {
    const run = limitToContext(probeRun, parts.contextTokens());
    const model = hideInRequests(parts.model, secrets.hide);
    // Only code sees the secrets that the masks stand for.
    const findWords: FindWords = ({ words, ...how }) =>
      parts.findWords({ ...how, words: words.map((each) => restoreAll(each, parts.secretStore)) });
    return proposeForgetting({ id, input }, request, { ...parts, model, run, findWords });
  }
  const saved = deserializeProgress(parts.progress());
  const isUserAuthored =
    input.source.kind === 'person' &&
    // Changes staged by an earlier attempt may come from text that is no longer in the inbox item.
    (saved === null || saved.isPersons) &&
    (answered === null || (await isItemUserAuthored(probeRun, answered, parts)));
  const inputText = `${input.text}\n${extractBody(original)}`;
  let held: Reason | null = null;
  const policy = createUpdatePolicy({
    ...rules,
    isUserAuthored,
    statedText: inputText,
    answered,
    reviewReason: () => held,
  });
  const job = {
    ...parts,
    model: hideInRequests(parts.model, secrets.hide),
    secrets,
    id,
    input,
    answered,
    inputText,
    isUserAuthored,
    setHoldReason: (reason: Reason | null) => void (held = reason),
    createRun: () => createWriteRun(policy),
  };
  try {
    return await fileInParts(job, job, saved);
  } catch (error) {
    const isUnfit = error instanceof ModelError && error.code === 'unfit';
    if (!isUnfit || !parts.isLast()) throw error;
    return moveToInbox(job, describeError(error), deserializeProgress(parts.progress()));
  }
}

/**
 * Input that fits into this share of the context is filed at once; longer input is split into parts with one
 * conversation each.
 */
const inputContextShare = 1 / 3;
const minPartTokens = 500;

async function fileInParts(
  job: UpdateJob,
  parts: FileUpdateOptions,
  saved: FilingProgress | null,
): Promise<UpdateOutcome> {
  const { contextTokens } = parts;
  let run = limitToContext(job.createRun(), contextTokens());
  if (saved !== null) run.transaction.deserialize(saved.staged);
  // Built before the input is staged: these messages are the same for every update, so providers can cache them.
  let context = await formatContext(run);
  const incoming = saved?.incoming ?? (await stageInput(job.input, run, job.clock()));
  const sources = [...inputTexts(incoming), ...(await inboxItemTexts(job, run))];
  const summaries = saved?.summaries ?? [];
  let position: InputPosition = saved?.next ?? startPosition;
  const third = Math.max(minPartTokens, Math.floor(contextTokens() * inputContextShare));
  let size = Math.min(saved?.size ?? third, third);
  // Empty if the whole input fits; recomputed only when the size changes.
  const cut = (): InputPart[] =>
    position === startPosition && estimateTokens(sources) <= size ? [] : splitInput(sources, position, size);
  let left = cut();
  let refusals = 0;
  for (;;) {
    const [part, ...rest] = left;
    const message =
      part === undefined
        ? await formatInput(job, run, incoming)
        : await formatPart(job, run, incoming, {
            part,
            start: formatHead(sources),
            rest: rest.length,
            summaries,
          });
    const undo = run.transaction.savepoint();
    const isWhole = part === undefined;
    const one = { incoming, context, message, isWhole, isLast: rest.length === 0 };
    const filed = await filePart(job, { ...parts, ...choosePrompt(parts) }, run, one).catch(
      (error: unknown) => {
        if (refusals === maxRefusals) throw error;
        return nextPartSize(error, size, parts);
      },
    );
    if (typeof filed === 'number') {
      refusals += 1;
      size = filed;
      left = cut();
      undo();
      run = limitToContext(run, contextTokens());
      context = await formatContext(run);
      continue;
    }
    if (filed.kind !== 'more-parts') return filed;
    position = part?.next ?? startPosition;
    left = rest;
    refusals = 0;
    summaries.push(filed.summary);
    // The next client or model continues from here, so this part counts like a commit.
    parts.client?.assertAllowed();
    parts.saveProgress(
      serializeProgress({
        next: position,
        size,
        summaries,
        incoming,
        isPersons: job.isUserAuthored && parts.client?.isTrusted !== false,
        staged: run.transaction.serialize(),
      }),
    );
    context = await formatContext(run);
  }
}

/** The context of the vault, with sample notes if the vault has its own forms. */
async function formatContext(run: WriteRun): Promise<ChatContent[]> {
  const [description, files] = await formatVaultContext(run);
  return [description, { ...files, text: joinBlocks([files.text, ...(await formatSampleNotes(run))]) }];
}

/** The full instructions and the tools alone take a third of such a context. */
const smallContextTokens = 16_384;

/** The same request would fail in the same way, so a model that has failed gets a simpler one and has to call a tool. */
function choosePrompt({
  hasFailed,
  contextTokens,
}: FileUpdateOptions): Pick<Parameters<typeof filePart>[1], 'prompt' | 'firstToolChoice'> {
  return {
    prompt: hasFailed || contextTokens() <= smallContextTokens ? 'update/short' : 'update',
    firstToolChoice: hasFailed ? 'required' : undefined,
  };
}

/** Number of consecutive context errors before giving up. */
const maxRefusals = 3;

/** The part size to try next after the model rejected the context as too long; rethrows every other error. */
function nextPartSize(
  error: unknown,
  size: number,
  { contextTokens, setContextTokens }: FileUpdateOptions,
): number {
  if (!(error instanceof ModelError) || error.code !== 'too-long') throw error;
  const context = error.contextTokens ?? Math.floor(contextTokens() / 2);
  setContextTokens(context);
  const smaller = Math.floor(Math.min(size / 2, context * inputContextShare));
  if (smaller < minPartTokens) throw error;
  return smaller;
}

/** The texts of the staged input. */
function inputTexts({ files, shown }: StagedInput): InputText[] {
  return shown.flatMap((path) =>
    fileKindOf(baseName(path)) === 'markdown'
      ? [{ path, lines: splitLines(files.get(path)?.toString() ?? '') }]
      : [],
  );
}

/** The texts in the answered inbox item, without its question. */
async function inboxItemTexts({ answered }: UpdateJob, run: WriteRun): Promise<InputText[]> {
  const sources: InputText[] = [];
  for (const path of answered === null ? [] : await listItemFiles(run, answered))
    if (fileKindOf(baseName(path)) === 'markdown' && baseName(path) !== reviewName)
      sources.push({ path, lines: splitLines((await readText(run, path)) ?? '') });
  return sources;
}

/**
 * Whether everything in an inbox item comes from the user. The source named in the files is not trusted: an agent that
 * obeyed someone else may have written it.
 */
async function isItemUserAuthored(
  run: WriteRun,
  item: VaultPath,
  { changes }: FileUpdateOptions,
): Promise<boolean> {
  for (const path of await listItemFiles(run, item)) {
    const bytes = await readBytes(run, path);
    if (bytes === null || !(await changes.isUserAuthored(path, bytes))) return false;
  }
  return true;
}

/** Checks the files that every update has to change. Returns what is wrong, or null. */
async function checkRequiredFiles(
  run: WriteRun,
  isExcluded: FileUpdateOptions['isExcluded'],
): Promise<string | null> {
  const { problem, changelogPath, overviewPath, inboxPath } = run.view.layout();
  if (problem !== null)
    return `.keepsake/vault.json names files that cannot be used (${problem}); run keepsake doctor`;
  const original = childPath(childPath(inboxPath, 'item'), originalName);
  const hidden = [changelogPath, overviewPath, original].find(isExcluded);
  if (hidden !== undefined)
    return `${formatPath(hidden === original ? inboxPath : hidden)} is hidden from AI (agents.exclude), but every update has to write to it; remove it from agents.exclude`;
  for (const path of [changelogPath, overviewPath]) {
    const bytes = await readBytes(run, path);
    if (bytes !== null && decodeText(bytes).kind !== 'text')
      return `${formatPath(path)} is not UTF-8 text; convert it to UTF-8`;
  }
  return null;
}
