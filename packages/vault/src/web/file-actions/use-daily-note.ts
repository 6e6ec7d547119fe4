import { useNavigate } from '@tanstack/react-router';
import { useServices } from '../shell/services.ts';
import { useLanguage } from '../text/use-text.ts';
import { dailyPath, dailyPathBySetting, recognizeDailyForm } from './daily-note.ts';
import { findDailyTemplate, findTemplates } from './templates.ts';
import { useFileActions } from './use-file-actions.ts';

/** Opens the daily note of today, or creates it as Obsidian would, otherwise in the form of the existing ones. */
export function useDailyNote(): () => Promise<void> {
  const { client, queries, toasts } = useServices();
  const { create } = useFileActions(() => undefined);
  const navigate = useNavigate();
  const language = useLanguage();
  return async () => {
    try {
      const tree = await client.fetchQuery(queries.files.tree);
      const files = tree.files.map(({ path }) => path);
      const folders = [...tree.byPath.values()].flatMap(({ isFolder, path }) => (isFolder ? [path] : []));
      const { dailyNotes } = await client.fetchQuery({ ...queries.status, staleTime: 0 });
      const now = new Date();
      const path =
        (dailyNotes && dailyPathBySetting(dailyNotes, now, language)) ??
        dailyPath(recognizeDailyForm({ files, folders }), now);
      if (tree.byPath.has(path)) return await navigate({ to: '/file/$', params: { _splat: path } });
      const chosen = files.find((each) => each === `${dailyNotes?.template ?? ''}.md`);
      await create.mutateAsync({ path, template: chosen ?? findDailyTemplate(findTemplates(files)) });
    } catch (error) {
      toasts.showError(error);
    }
  };
}
