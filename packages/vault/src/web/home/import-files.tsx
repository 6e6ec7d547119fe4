import { useMutation, useQuery } from '@tanstack/react-query';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { useText } from '../text/use-text.ts';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { FileField } from '../ui/file-field.tsx';
import { Notice } from '../ui/notice.tsx';

type ImportResult = { changes: string[]; failed: string[] };

/** Imports local notes into the bucket unchanged. One undo removes all of them. */
export function ImportFiles() {
  const { api, client, fileAction, queries, toasts } = useServices();
  const text = useSetupText().start;
  const { activity } = useText();
  const { data: tree } = useQuery(queries.files.tree);
  const undoChange = async (changes: readonly string[]): Promise<void> => {
    try {
      for (const change of changes.toReversed()) await api.history.undo(change);
      toasts.show(activity.undone);
    } catch (error) {
      toasts.showError(error);
    }
    await client.invalidateQueries();
  };
  const importNotes = useMutation({
    mutationFn: async (files: readonly File[]): Promise<ImportResult> => {
      const taken = new Set(tree?.byPath.keys() ?? []);
      const imported: ImportResult = { changes: [], failed: [] };
      for (const file of files) {
        const path = uniquePath(file.name, taken);
        taken.add(path);
        try {
          const { change } = await api.files.save(path, await file.text(), null);
          if (change !== null) imported.changes.push(change);
        } catch {
          imported.failed.push(file.name);
        }
      }
      return imported;
    },
    onSuccess: async ({ changes }) => {
      await client.invalidateQueries();
      if (changes.length > 0) toasts.show(text.imported(changes.length), () => void undoChange(changes));
    },
  });
  return (
    <>
      <FileField
        label={text.choose}
        accept=".md,.markdown,.txt,.zip,text/markdown,text/plain,application/zip"
        isMultiple
        isDisabled={importNotes.isPending}
        onChoose={(files) => {
          const archive = files.find(({ name }) => /\.zip$/i.test(name));
          if (archive === undefined) importNotes.mutate(files);
          else fileAction.set({ kind: 'import', file: archive });
        }}
      />
      {importNotes.error !== null && <ErrorNotice error={importNotes.error} />}
      {importNotes.data !== undefined && importNotes.data.failed.length > 0 && (
        <Notice tone="warn" title={text.notImported(importNotes.data.failed.join(', '))} />
      )}
    </>
  );
}

/** A path that is not in use. Repeated names get a number, because existing files are never replaced. */
function uniquePath(name: string, taken: ReadonlySet<string>): string {
  const stem = name.replace(/\.(?:md|markdown|txt)$/i, '').replaceAll(/[<>:"|?*\\/]|^\.+|[. ]+$/g, '-');
  for (let number = 1; ; number += 1) {
    const path = `bucket/${stem}${number === 1 ? '' : `-${number}`}.md`;
    if (!taken.has(path)) return path;
  }
}
