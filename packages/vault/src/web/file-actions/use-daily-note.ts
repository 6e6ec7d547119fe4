import { useNavigate } from '@tanstack/react-router';
import { useServices } from '../shell/services.ts';
import { dailyPath, recognizeDailyForm } from './daily-note.ts';
import { findDailyTemplate, findTemplates } from './templates.ts';
import { useFileActions } from './use-file-actions.ts';

/** Opens the daily note of today, or creates it in the form of the existing ones. */
export function useDailyNote(): () => Promise<void> {
  const { client, queries, toasts } = useServices();
  const { create } = useFileActions(() => undefined);
  const navigate = useNavigate();
  return async () => {
    try {
      const tree = await client.fetchQuery(queries.files.tree);
      const files = tree.files.map(({ path }) => path);
      const folders = [...tree.byPath.values()].flatMap(({ isFolder, path }) => (isFolder ? [path] : []));
      const path = dailyPath(recognizeDailyForm({ files, folders }), new Date());
      if (tree.byPath.has(path)) return await navigate({ to: '/file/$', params: { _splat: path } });
      await create.mutateAsync({ path, template: findDailyTemplate(findTemplates(files)) });
    } catch (error) {
      toasts.showError(error);
    }
  };
}
