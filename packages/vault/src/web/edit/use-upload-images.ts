import { useQuery } from '@tanstack/react-query';
import { relativePath } from '../../contract/index.ts';
import { hasErrorCode } from '../api/api-error.ts';
import { useServices } from '../shell/services.ts';
import { imagePath } from './image-path.ts';

/** How many numbered names are tried for an image. */
const maxNameAttempts = 50;

/** Uploads images to the bucket of a note, each in a separate change. Returns the markdown that embeds them. */
export function useUploadImages(path: string): (files: readonly File[]) => Promise<string> {
  const { api, client, queries, toasts } = useServices();
  const { data: status } = useQuery(queries.status);
  const upload = async (file: File): Promise<string> => {
    for (let count = 1; ; count += 1) {
      const target = imagePath(path, status?.layout.projects ?? 'projects', file.name, count);
      try {
        await api.files.uploadImage(target, file);
        return `![](${relativePath(path, target)})`;
      } catch (error) {
        const isTaken = hasErrorCode(error, 'changed-since') || hasErrorCode(error, 'conflict');
        if (!isTaken || count === maxNameAttempts) throw error;
      }
    }
  };
  return async (files) => {
    const links: string[] = [];
    try {
      for (const file of files) links.push(await upload(file));
    } catch (error) {
      toasts.showError(error);
    }
    await client.invalidateQueries({ queryKey: ['tree'] });
    return links.join('\n');
  };
}
