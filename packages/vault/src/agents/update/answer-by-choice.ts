import type { Changes } from '../../changes/index.ts';
import { otherReason } from '../../contract/index.ts';
import type { InboxChoice } from '../../contract/index.ts';
import { createWritePolicy } from '../../tools/index.ts';
import type { WriteRun } from '../../tools/index.ts';
import {
  baseName,
  childPath,
  computeRevision,
  extensionOf,
  formatPath,
  parentPath,
  reviewName,
} from '../../vault/index.ts';
import type { Language } from '../../vault/index.ts';
import { readConflictVersions } from '../conflict-versions.ts';
import type { ConflictVersions } from '../conflict-versions.ts';
import { commitAnswer } from './commit-answer.ts';
import type { AnswerOptions, InboxAnswer } from './commit-answer.ts';
import { listItemFiles } from './inbox-item.ts';
import { readBytes, readText, stageBytes } from './staged-files.ts';
import type { UpdateOutcome } from './update-job.ts';

export type ChoiceOptions = AnswerOptions & { changes: Pick<Changes, 'fileVersions'> };

/**
 * Settles an inbox item by the user's choice, without a model. The text that is not chosen stays in history, and the
 * change can be undone.
 */
export async function answerByChoice(
  answer: InboxAnswer & { choice: InboxChoice },
  parts: ChoiceOptions,
): Promise<UpdateOutcome> {
  const { input, item, choice } = answer;
  if (input.source.kind !== 'person')
    return { kind: 'stopped', reason: otherReason('only the user can settle an inbox item by a choice') };
  const read = async (run: WriteRun): Promise<ConflictVersions | null> => {
    const review = (await readText(run, childPath(item, reviewName))) ?? '';
    return readConflictVersions(review, run.view, parts.changes.fileVersions);
  };
  const conflict = await read(parts.createUserRun(createWritePolicy(null)));
  const isVersionChoice = choice === 'mine' || choice === 'theirs' || choice === 'both';
  if (isVersionChoice && conflict === null)
    return { kind: 'stopped', reason: otherReason(`${baseName(item)}: ${noVersions}`) };
  const files = conflict === null ? [] : [conflict.bytes.note, conflict.bytes.other];
  const attachments = new Map(
    files.flatMap((bytes) =>
      bytes === null || conflict === null
        ? []
        : [[computeRevision(bytes), extensionOf(baseName(conflict.note))] as const],
    ),
  );
  return commitAnswer(answer, parts, {
    summary: summaries[parts.language][choice](formatPath(conflict?.note ?? item)),
    entry: 'never',
    origin: input.source.name,
    isDropped: choice !== 'note',
    isConfirmed: true,
    createRun: () => parts.createUserRun(createWritePolicy(null, { attachments })),
    async stage(run) {
      const now = isVersionChoice ? await read(run) : null;
      if (isVersionChoice && now === null) throw new Error(noVersions);
      if (isVersionChoice && now !== null) await stageChoice(run, now, choice);
      if (choice === 'drop')
        for (const path of await listItemFiles(run, item)) {
          const bytes = await readBytes(run, path);
          if (bytes !== null) run.transaction.remove(path, bytes);
        }
      return true;
    },
  });
}

const noVersions =
  'its two versions are not there as they were; edit the note, then close the item with: keepsake inbox answer <item> --drop';

async function stageChoice(
  run: WriteRun,
  { note, other, bytes, choose, both }: ConflictVersions,
  choice: 'mine' | 'theirs' | 'both',
): Promise<void> {
  const after = choice === 'both' ? both : choose(choice);
  if (after !== null && !after.equals(bytes.note)) {
    const staged = run.transaction.write(note, bytes.note, after);
    if (!staged.ok) throw new Error(`${note}: ${staged.reason}`);
  }
  if (other === null || bytes.other === null) return;
  if (choice === 'both') await stageBytes(run, parentPath(note), baseName(note), bytes.other);
  run.transaction.remove(other, bytes.other);
}

const summaries: Record<Language, Record<InboxChoice, (path: string) => string>> = {
  en: {
    mine: (path) => `Kept my version of ${path}.`,
    theirs: (path) => `Kept the other version of ${path}.`,
    both: (path) => `Kept both versions of ${path}.`,
    note: (path) => `Kept ${path} as a note.`,
    drop: (path) => `Dropped ${path}.`,
  },
  fr: {
    mine: (path) => `Ma version de ${path} est gardée.`,
    theirs: (path) => `L’autre version de ${path} est gardée.`,
    both: (path) => `Les deux versions de ${path} sont gardées.`,
    note: (path) => `${path} est gardé comme note.`,
    drop: (path) => `${path} est supprimé.`,
  },
};
