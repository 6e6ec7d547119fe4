import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useUndo } from '../activity/use-undo.ts';
import { setDraft } from '../edit/drafts.ts';
import { useServices } from '../shell/services.ts';
import { useCurrentFile } from '../shell/use-current-file.ts';
import { useLanguage, useText } from '../text/use-text.ts';
import { fillTemplate } from './templates.ts';
import { rebasePath, isInside, baseName, parentFolder } from './file-action.ts';

/** `template` is the path of the note whose text it starts with; null for a heading with its name. */
type NewNote = { path: string; template: string | null };

/** Creates, moves and deletes files. If the open note moves, the page follows it. Each toast offers to undo the action. */
export function useFileActions(onDone: () => void) {
  const { api, client, queries, toasts, drafts } = useServices();
  const { arrange: text } = useText();
  const language = useLanguage();
  const undoChange = useUndo();
  const navigate = useNavigate();
  const open = useCurrentFile();
  const show = (path: string, isNew = false): void =>
    void navigate({
      to: path === '' ? '/' : '/file/$',
      params: { _splat: path },
      state: { isNew },
      // The back button must not lead to a path that no longer exists.
      replace: !isNew,
    });

  const done = async (change: string | null, message: string, onUndone: () => void): Promise<void> => {
    onDone();
    await client.invalidateQueries();
    toasts.show(message, change === null ? undefined : () => void undoChange(change, onUndone));
  };

  const create = useMutation({
    mutationFn: async ({ path, template }: NewNote) => {
      const title = baseName(path).replace(/\.(?:md|markdown)$/i, '');
      const content =
        template === null
          ? `# ${title}\n\n`
          : fillTemplate(template, (await client.fetchQuery(queries.files.get(template))).text, {
              title,
              now: new Date(),
              language,
            });
      return api.files.save(path, content, null);
    },
    onSuccess: async ({ change }, { path }) => {
      await done(change, text.created(baseName(path)), () => show(open ?? ''));
      show(path, true);
    },
  });
  const move = useMutation({
    mutationFn: ({ from, to }: { from: string; to: string }) => api.files.move(from, to),
    onSuccess: async ({ change, links }, { from, to }) => {
      for (const [path, draft] of Object.entries(drafts.get()))
        if (isInside(path, from)) {
          setDraft(drafts, path, null);
          setDraft(drafts, rebasePath(path, from, to), draft);
        }
      const isOpen = open !== null && isInside(open, from);
      if (isOpen) show(rebasePath(open, from, to));
      const isRename = parentFolder(from) === parentFolder(to);
      const message = isRename ? text.renamed(baseName(to)) : text.moved(baseName(to), parentFolder(to));
      await done(
        change,
        links === 0 ? message : `${message} ${text.links(links)}`,
        () => isOpen && show(open),
      );
    },
  });
  const remove = useMutation({
    mutationFn: (path: string) => api.files.remove(path),
    onSuccess: async ({ change }, path) => {
      const isOpen = open !== null && isInside(open, path);
      if (isOpen) show(parentFolder(path));
      await done(change, text.deleted(baseName(path)), () => isOpen && show(open));
    },
  });
  return { create, move, remove };
}
