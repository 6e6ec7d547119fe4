import { insertText } from '../../changes/index.ts';
import { formatLocalTime } from '../../contract/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import { childPath, reviewName, rootFileText, formatPath, splitLines } from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import type { IsRecorded } from './check-filed.ts';
import { countAddedEntries, createDefaultEntry, findAddedEntries, mergeAddedEntries } from './changelog.ts';
import { pathsChangedByAgent } from './stage-input.ts';
import type { StagedInput } from './stage-input.ts';
import { stageSecretQuestion } from './secret-question.ts';
import { keepsChangelog } from '../vault-context.ts';
import { addOnTop, onlyAddsLines, stageText, readText } from './staged-files.ts';
import { closeInboxItem, keepInboxItem, storeLeftovers } from './store-leftovers.ts';
import { setStatus } from './overview-status.ts';
import { restoreKeptSecrets } from './update-secrets.ts';
import type { UpdateSecrets } from './update-secrets.ts';

type FinishOptions = {
  run: WriteRun;
  incoming: StagedInput;
  /** The folder of the inbox item that this update answers. */
  answered: VaultPath | null;
  /** The whole text to file. */
  inputText: string;
  isRecorded: IsRecorded;
  /** The bucket that gets the input; that of the vault if omitted. */
  bucket?: VaultPath;
  /** Whether the agent dropped the text of the answered inbox item, so that it is not kept. */
  isDropped?: boolean;
  /** Whether code adds a changelog entry if the agent wrote none. A failure is no event of the user's life. */
  entry: 'never' | 'if-needed' | 'always';
  /** Lines that code adds to the changelog entry. */
  annotations?: readonly string[];
  secrets: UpdateSecrets;
  summary: string;
  now: number;
  language: Language;
};

type FinishedUpdate = {
  /** The inbox item with a question, if there is one. */
  reviewItem: VaultPath | null;
  /** The masked texts of the files into which secrets were restored. */
  maskedTexts: ReadonlyMap<VaultPath, string>;
};

/** Performs the steps of an update that are done in code, so that no agent can forget them. */
export async function finishUpdate(parts: FinishOptions): Promise<FinishedUpdate> {
  const { run, answered, incoming, isDropped = false } = parts;
  const filed = pathsChangedByAgent(run, incoming);
  const reviewItem = await storeLeftovers(run, incoming, parts);
  // A question whose answer leads to another question stays open.
  if (answered !== null && reviewItem !== null) await keepInboxItem(run, answered);
  if (answered !== null && reviewItem === null) await closeInboxItem(run, answered, { ...parts, isDropped });
  if (reviewItem !== null) await listFiledPaths(parts, reviewItem, filed);
  const secretItem = await stageSecretQuestion(run, parts);
  if (run.transaction.staged().size === 0 && run.transaction.removedFolders().size === 0)
    return { reviewItem: null, maskedTexts: new Map() };
  if (parts.entry !== 'never') await ensureChangelogEntry(parts);
  await annotateEntry(parts);
  await updateStatus(parts);
  const maskedTexts = await restoreKeptSecrets(run, parts.secrets, parts.language);
  return { reviewItem: reviewItem ?? secretItem, maskedTexts };
}

/** Adds to the question a list of the files that were already changed, so that the user knows what has been filed. */
async function listFiledPaths(
  { run, language }: FinishOptions,
  item: VaultPath,
  filed: readonly VaultPath[],
): Promise<void> {
  const path = childPath(item, reviewName);
  const text = await readText(run, path);
  const { changelogPath, overviewPath, isInInbox } = run.view.layout();
  const elsewhere = filed.filter(
    (each) => !isInInbox(each) && each !== changelogPath && each !== overviewPath,
  );
  const unnamed = elsewhere.map(formatPath).filter((each) => text?.includes(each) === false);
  if (text === null || unnamed.length === 0) return;
  stageText(
    run,
    path,
    text,
    `${text.trimEnd()}\n\n${alreadyFiledHeading[language]}\n\n${unnamed.map((each) => `- ${each}`).join('\n')}\n`,
  );
}

const alreadyFiledHeading: Record<Language, string> = { en: 'Already filed:', fr: 'Déjà classé :' };

/**
 * Whether an update without a changelog entry is incomplete. Not if the vault keeps no changelog, or if the update only
 * adds tasks, which contain the date.
 */
async function needsChangelogEntry(
  run: WriteRun,
  incoming: StagedInput,
  answered: VaultPath | null,
): Promise<boolean> {
  if (!(await keepsChangelog(run))) return false;
  const { isTaskList } = run.view.layout();
  const changed = pathsChangedByAgent(run, incoming);
  if (answered !== null || changed.length === 0) return true;
  return !changed.every((path) => isTaskList(path) && onlyAddsLines(run, path));
}

/** Ensures that the update adds exactly one entry to the changelog. */
async function ensureChangelogEntry({
  run,
  incoming,
  answered,
  entry: isNeeded,
  summary,
  now,
  language,
}: FinishOptions): Promise<void> {
  const { changelogPath } = run.view.layout();
  const text = await readText(run, changelogPath);
  const count = await countChangelogEntries(run);
  const isOptional = isNeeded === 'if-needed' && !(await needsChangelogEntry(run, incoming, answered));
  if (count === 1 || (count === 0 && isOptional)) return;
  const before = textBeforeUpdate(run, changelogPath) ?? text ?? '';
  const entry = createDefaultEntry(
    formatLocalTime(now).slice(0, 10),
    summary,
    pathsChangedByAgent(run, incoming).map(formatPath),
  );
  if (text !== null && count === 0) return addOnTop(run, changelogPath, text, entry);
  const present = text ?? rootFileText('changelog.md', language);
  const entries =
    count > 1 ? mergeAddedEntries(before, present) : insertText(present, entry, 'top', true).text;
  stageText(run, changelogPath, text, entries);
}

/** Adds lines to the entry of this update. */
async function annotateEntry({ run, annotations = [] }: FinishOptions): Promise<void> {
  const { changelogPath } = run.view.layout();
  const text = await readText(run, changelogPath);
  const [entry] = text === null ? [] : findAddedEntries(textBeforeUpdate(run, changelogPath) ?? '', text);
  if (text === null || entry === undefined || annotations.length === 0) return;
  const lines = splitLines(text);
  lines.splice(entry.lines.end, 0, '', ...annotations);
  stageText(run, changelogPath, text, `${lines.join('\n')}\n`);
}

/** What is wrong with the changelog entry of this update, as a request to the agent; null if nothing is. */
export async function describeEntryProblem(
  run: WriteRun,
  incoming: StagedInput,
  answered: VaultPath | null,
): Promise<string | null> {
  const entries = await countChangelogEntries(run);
  if (entries === 1 || (entries === 0 && !(await needsChangelogEntry(run, incoming, answered)))) return null;
  const what =
    "exactly one entry to vault/changelog.md: a level-2 heading at the top, under today's date, followed by one or two lines";
  return entries === 0
    ? `Every update adds ${what}. It is missing: add it with append.`
    : `Every update adds ${what}. You added ${entries}: merge them into one.`;
}

/** The number of entries that this update has added so far. */
async function countChangelogEntries(run: WriteRun): Promise<number> {
  const { changelogPath } = run.view.layout();
  const before = textBeforeUpdate(run, changelogPath);
  return before === undefined
    ? 0
    : countAddedEntries(before ?? '', (await readText(run, changelogPath)) ?? '');
}

async function updateStatus({ run, now, language }: FinishOptions): Promise<void> {
  const { overviewPath, inboxPath, listOpenItems, createsMissing } = run.view.layout();
  const text = await readText(run, overviewPath);
  if (text === null && !createsMissing('overview')) return;
  const open = listOpenItems(await run.view.contents(inboxPath)).length;
  const present = text ?? rootFileText('overview.md', language);
  stageText(run, overviewPath, text, setStatus(present, formatLocalTime(now).slice(0, 10), open));
}

/** Undefined if this update has not changed the file, null if it did not exist. */
function textBeforeUpdate({ transaction }: WriteRun, path: VaultPath): string | null | undefined {
  const before = transaction.before(path);
  return before === undefined ? undefined : (before?.toString() ?? null);
}
