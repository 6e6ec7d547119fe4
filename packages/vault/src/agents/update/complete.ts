import { insertText } from '../../changes/index.ts';
import { localTime } from '../../contract/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  childPath,
  inboxPath,
  isInInbox,
  openItems,
  reviewName,
  rootFileText,
  showPath,
} from '../../vault/index.ts';
import type { Language, VaultPath } from '../../vault/index.ts';
import type { IsWritten } from './account.ts';
import { joinNewEntries, newEntries, plainEntry } from './changelog.ts';
import { touchedPaths } from './incoming.ts';
import type { Incoming } from './incoming.ts';
import { addOnTop, putText, textAt } from './place.ts';
import { closeItem, settleIncoming } from './settle-incoming.ts';
import { withStatus } from './status.ts';

type Parts = {
  run: WriteRun;
  incoming: Incoming;
  /** The folder of the inbox item that this update answers. */
  answered: VaultPath | null;
  /** All words that were to be filed. */
  words: string;
  isWritten: IsWritten;
  /** Whether the person said to drop what the item is about. */
  isDropped?: boolean;
  summary: string;
  now: number;
  language: Language;
};

/** What the rules ask of every update, done by code, so that no agent can forget it. Gives the inbox item, if there is one. */
export async function completeUpdate(parts: Parts): Promise<VaultPath | null> {
  const { run, answered, incoming, isDropped = false } = parts;
  const filed = touchedPaths(run, incoming);
  const asked = await settleIncoming(run, incoming, parts);
  // A question that leads to another question is not answered yet.
  if (answered !== null && asked === null) await closeItem(run, answered, { ...parts, isDropped });
  if (asked !== null) await nameWhatIsFiled(parts, asked, filed);
  if (run.transaction.staged().size === 0 && run.transaction.removedFolders().size === 0) return null;
  await keepChangelog(parts);
  await keepStatus(parts);
  return asked;
}

/** Whoever answers a question must know what needs no answer any more: what was filed of the same input. */
async function nameWhatIsFiled(
  { run, language }: Parts,
  item: VaultPath,
  filed: readonly VaultPath[],
): Promise<void> {
  const path = childPath(item, reviewName);
  const text = await textAt(run, path);
  const { changelogPath, overviewPath } = run.view.layout();
  const elsewhere = filed.filter(
    (each) => !isInInbox(each) && each !== changelogPath && each !== overviewPath,
  );
  const unnamed = elsewhere.map(showPath).filter((each) => text?.includes(each) === false);
  if (text === null || unnamed.length === 0) return;
  putText(
    run,
    path,
    text,
    `${text.trimEnd()}\n\n${filedAlready[language]}\n\n${unnamed.map((each) => `- ${each}`).join('\n')}\n`,
  );
}

const filedAlready: Record<Language, string> = { en: 'Filed already:', fr: 'Déjà rangé :' };

/** Exactly one new entry. */
async function keepChangelog({ run, incoming, summary, now, language }: Parts): Promise<void> {
  const { changelogPath } = run.view.layout();
  const text = await textAt(run, changelogPath);
  const count = await newChangelogEntries(run);
  if (count === 1) return;
  const before = textBefore(run, changelogPath) ?? text ?? '';
  const entry = plainEntry(localTime(now).slice(0, 10), summary, touchedPaths(run, incoming).map(showPath));
  if (text !== null && count === 0) return addOnTop(run, changelogPath, text, entry);
  const present = text ?? rootFileText('changelog.md', language);
  const entries = count > 1 ? joinNewEntries(before, present) : insertText(present, entry, 'top', true).text;
  putText(run, changelogPath, text, entries);
}

/** How many entries this update has added so far. */
export async function newChangelogEntries(run: WriteRun): Promise<number> {
  const { changelogPath } = run.view.layout();
  const before = textBefore(run, changelogPath);
  return before === undefined ? 0 : newEntries(before ?? '', (await textAt(run, changelogPath)) ?? '');
}

async function keepStatus({ run, now, language }: Parts): Promise<void> {
  const { overviewPath } = run.view.layout();
  const text = await textAt(run, overviewPath);
  const open = openItems(await run.view.contents(inboxPath)).length;
  const present = text ?? rootFileText('overview.md', language);
  putText(run, overviewPath, text, withStatus(present, localTime(now).slice(0, 10), open));
}

/** Undefined when this update has not touched it, null when it was not there. */
function textBefore({ transaction }: WriteRun, path: VaultPath): string | null | undefined {
  const before = transaction.before(path);
  return before === undefined ? undefined : (before?.toString() ?? null);
}
