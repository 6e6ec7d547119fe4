import { diffLines, internLines } from '../contract/index.ts';
import type { ReceiptFile } from '../contract/index.ts';
import { extractBody, parseChangelog, parseTasks, splitLines } from '../vault/index.ts';
import type { ReviewedFile } from './removals.ts';

/** What an update does to one file, counted from its text. `from` is the former path of a moved file. */
export function describeFileChange(file: ReviewedFile & { from?: string | undefined }): ReceiptFile {
  const { path, before, after, from } = file;
  const [oldUnits, newUnits] = [titlesIn(file.kind, before), titlesIn(file.kind, after)];
  const [oldLines, newLines] = [contentLines(before), contentLines(after)];
  const [oldIds, newIds] = internLines(oldLines, newLines);
  const edits = oldIds === undefined || newIds === undefined ? [] : diffLines(oldIds, newIds).edits;
  return {
    path,
    change:
      from !== undefined ? 'moved' : before === null ? 'created' : after === null ? 'deleted' : 'changed',
    ...(from !== undefined && { from }),
    added: without(newUnits, oldUnits),
    removed: without(oldUnits, newUnits),
    unit: file.kind === 'changelog' ? 'entry' : 'task',
    linesAdded: edits.reduce((sum, edit) => sum + edit.new.end - edit.new.start, 0),
    linesRemoved: edits.reduce((sum, edit) => sum + edit.old.end - edit.old.start, 0),
  };
}

/** The titles of the tasks or changelog entries of a file. */
function titlesIn(kind: ReviewedFile['kind'], text: string | null): string[] {
  if (text === null) return [];
  if (kind === 'changelog') return parseChangelog(text).map(({ heading }) => heading);
  return parseTasks(text, kind === 'tasks' ? 'task-list' : 'note').flatMap(({ form, title }) =>
    form === 'line' ? [] : [title],
  );
}

/** The elements of the first list that the second does not have; equal elements are matched one by one. */
function without(list: readonly string[], other: readonly string[]): string[] {
  const left = [...other];
  return list.filter((each) => {
    const at = left.indexOf(each);
    if (at !== -1) left.splice(at, 1);
    return at === -1;
  });
}

function contentLines(text: string | null): string[] {
  return splitLines(extractBody(text ?? '')).filter((line) => line.trim() !== '');
}
