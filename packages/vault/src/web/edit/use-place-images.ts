import { useQuery } from '@tanstack/react-query';
import { relativePath } from '../../contract/index.ts';
import { isCode } from '../api/problem.ts';
import { useServices } from '../shell/services.ts';
import { imagePlace } from './image-place.ts';

/** So many of one name are told apart. */
const most = 50;

/** Puts pictures into the bucket beside a note, each a change of its own; gives the links to them, for the note. */
export function usePlaceImages(path: string): (files: readonly File[]) => Promise<string> {
  const { api, client, queries, toasts } = useServices();
  const { data: status } = useQuery(queries.status);
  const place = async (file: File): Promise<string> => {
    for (let count = 1; ; count += 1) {
      const target = imagePlace(path, status?.layout.projects ?? 'projects', file.name, count);
      try {
        await api.files.placeImage(target, file);
        return `![](${relativePath(path, target)})`;
      } catch (error) {
        const isTaken = isCode(error, 'changed-since') || isCode(error, 'conflict');
        if (!isTaken || count === most) throw error;
      }
    }
  };
  return async (files) => {
    const links: string[] = [];
    try {
      for (const file of files) links.push(await place(file));
    } catch (error) {
      toasts.fail(error);
    }
    await client.invalidateQueries({ queryKey: ['tree'] });
    return links.join('\n');
  };
}
