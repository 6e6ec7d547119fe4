import { useMutation, useQuery } from '@tanstack/react-query';
import { useId } from 'react';
import { useServices } from '../shell/services.ts';
import { useSetupText } from '../text/setup-text.ts';
import { useText } from '../text/use-text.ts';
import { buttonClass } from '../ui/button.tsx';
import { ErrorNotice } from '../ui/error-notice.tsx';
import { Notice } from '../ui/notice.tsx';

type Imported = { changes: string[]; failed: string[] };

/** Puts notes of this computer into the bucket, as they are; all of them are taken back at once. */
export function ImportFiles() {
  const { api, client, queries, toasts } = useServices();
  const text = useSetupText().start;
  const { activity } = useText();
  const { data: tree } = useQuery(queries.files.tree);
  const field = useId();
  const takeBack = async (changes: readonly string[]): Promise<void> => {
    try {
      for (const change of changes.toReversed()) await api.history.undo(change);
      toasts.say(activity.undone);
    } catch (error) {
      toasts.fail(error);
    }
    await client.invalidateQueries();
  };
  const bringIn = useMutation({
    mutationFn: async (files: readonly File[]): Promise<Imported> => {
      const taken = new Set(tree?.byPath.keys() ?? []);
      const imported: Imported = { changes: [], failed: [] };
      for (const file of files) {
        const path = freePath(file.name, taken);
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
      if (changes.length > 0) toasts.say(text.imported(changes.length), () => void takeBack(changes));
    },
  });
  return (
    <>
      <div>
        <input
          id={field}
          type="file"
          multiple
          accept=".md,.markdown,.txt,text/markdown,text/plain"
          disabled={bringIn.isPending}
          onChange={({ target }) => {
            bringIn.mutate([...(target.files ?? [])]);
            target.value = '';
          }}
          className="peer sr-only"
        />
        <label
          htmlFor={field}
          className={buttonClass(
            'plain',
            'cursor-pointer peer-focus-visible:outline-2 peer-focus-visible:outline-accent',
          )}
        >
          {text.choose}
        </label>
      </div>
      {bringIn.error !== null && <ErrorNotice error={bringIn.error} />}
      {bringIn.data !== undefined && bringIn.data.failed.length > 0 && (
        <Notice tone="warn" title={text.notImported(bringIn.data.failed.join(', '))} />
      )}
    </>
  );
}

/** Nothing is replaced: a second one of the same name has a number. */
function freePath(name: string, taken: ReadonlySet<string>): string {
  const stem = name.replace(/\.(?:md|markdown|txt)$/i, '').replaceAll(/[<>:"|?*\\/]|^\.+|[. ]+$/g, '-');
  for (let number = 1; ; number += 1) {
    const path = `bucket/${stem}${number === 1 ? '' : `-${number}`}.md`;
    if (!taken.has(path)) return path;
  }
}
