import { useMutation } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useTakeBack } from '../activity/use-take-back.ts';
import { setDraft } from '../edit/drafts.ts';
import { useServices } from '../shell/services.ts';
import { useShownFile } from '../shell/use-shown-file.ts';
import { useText } from '../text/use-text.ts';
import { follow, isWithin, nameIn, parentOf } from './arranging.ts';

/** Creates, moves and deletes; the open note is followed to where it is, and each of these is taken back from where it is told. */
export function useArrange(onDone: () => void) {
  const { api, client, toasts, drafts } = useServices();
  const { arrange: text } = useText();
  const takeBack = useTakeBack();
  const navigate = useNavigate();
  const open = useShownFile();
  const show = (path: string, isNew = false): void =>
    void navigate({
      to: path === '' ? '/' : '/file/$',
      params: { _splat: path },
      state: { isNew },
      // Back leads to what was looked at before, not to what is gone.
      replace: !isNew,
    });

  const done = async (change: string | null, message: string, back: () => void): Promise<void> => {
    onDone();
    await client.invalidateQueries();
    toasts.say(message, change === null ? undefined : () => void takeBack(change, back));
  };

  const create = useMutation({
    mutationFn: (path: string) =>
      api.files.save(path, `# ${nameIn(path).replace(/\.(?:md|markdown)$/i, '')}\n\n`, null),
    onSuccess: async ({ change }, path) => {
      await done(change, text.created(nameIn(path)), () => show(open ?? ''));
      show(path, true);
    },
  });
  const move = useMutation({
    mutationFn: ({ from, to }: { from: string; to: string }) => api.files.move(from, to),
    onSuccess: async ({ change, links }, { from, to }) => {
      for (const [path, draft] of Object.entries(drafts.get()))
        if (isWithin(path, from)) {
          setDraft(drafts, path, null);
          setDraft(drafts, follow(path, from, to), draft);
        }
      const isOpen = open !== null && isWithin(open, from);
      if (isOpen) show(follow(open, from, to));
      const isRename = parentOf(from) === parentOf(to);
      const message = isRename ? text.renamed(nameIn(to)) : text.moved(nameIn(to), parentOf(to));
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
      const isOpen = open !== null && isWithin(open, path);
      if (isOpen) show(parentOf(path));
      await done(change, text.deleted(nameIn(path)), () => isOpen && show(open));
    },
  });
  return { create, move, remove };
}
