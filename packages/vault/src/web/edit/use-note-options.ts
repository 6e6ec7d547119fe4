import { useQuery } from '@tanstack/react-query';
import { useNavigate } from '@tanstack/react-router';
import { useEffect, useMemo, useRef } from 'react';
import { resolvePath } from '../../contract/index.ts';
import { fileUrl } from '../api/files-api.ts';
import { baseName } from '../file-actions/file-action.ts';
import { fillTemplate, findTemplates } from '../file-actions/templates.ts';
import { resolveLink, resolveWikilink } from '../file/resolve-link.ts';
import type { LinkTarget } from '../file/resolve-link.ts';
import { useServices } from '../shell/services.ts';
import { useLanguage } from '../text/use-text.ts';
import type { NoteOptions } from './note-extensions.ts';
import { splitNote } from './note-parts.ts';
import { useUploadImages } from './use-upload-images.ts';

/** For how long the tags of the vault are completed without asking for them again, in milliseconds. */
const tagsStaleMs = 60_000;

/** What the editor of a note takes from the vault: names to complete, images to show, and where links lead. */
export function useNoteOptions(path: string): NoteOptions {
  const { api, client, queries } = useServices();
  const navigate = useNavigate();
  const uploadImages = useUploadImages(path);
  const { data: tree } = useQuery(queries.files.tree);
  const { data: status } = useQuery(queries.status);
  const language = useLanguage();
  // The editor is created once and asks for the present values.
  const present = useRef({ tree, status, uploadImages, navigate, language });
  useEffect(() => void (present.current = { tree, status, uploadImages, navigate, language }));
  return useMemo(() => {
    const files = cachedPaths(() => present.current.tree);
    const open = (target: LinkTarget): void => {
      if (target.kind === 'outside') window.open(target.url, '_blank', 'noopener,noreferrer');
      else if (target.kind === 'file' || target.kind === 'missing')
        void present.current.navigate({
          to: '/file/$',
          params: { _splat: target.path },
          ...(target.kind === 'file' && { hash: target.hash }),
        });
      else if (target.kind === 'several')
        void present.current.navigate({ to: '/which', search: { link: target.link, from: target.from } });
    };
    return {
      names: {
        path,
        files,
        peopleFolder: () => present.current.status?.layout.people ?? 'people',
        read: async (other) => (await client.fetchQuery(queries.files.get(other))).text,
        tags: async () => {
          const found = { queryKey: ['tags'], queryFn: () => api.files.tags(), staleTime: tagsStaleMs };
          return (await client.fetchQuery(found)).tags.map(({ tag }) => tag);
        },
        templates: () => findTemplates(files()),
        fillTemplate: async (template) => {
          const { text } = await client.fetchQuery(queries.files.get(template));
          const title = baseName(path).replace(/\.\w+$/, '');
          const filled = fillTemplate(template, text, {
            title,
            now: new Date(),
            language: present.current.language,
          });
          // The properties of the template stay out of the text.
          return splitNote(template, filled).body;
        },
      },
      imageUrl(source, isWikilink) {
        const target = isWikilink
          ? resolveWikilink(source, path, present.current.tree)
          : resolveLink(source, path, undefined);
        const local = target.kind === 'file' ? resolvePath('', target.path) : null;
        return local === null ? null : fileUrl(local);
      },
      uploadImages: (images) => present.current.uploadImages(images),
      openLink: ({ kind, target }) =>
        open((kind === 'wikilink' ? resolveWikilink : resolveLink)(target, path, present.current.tree)),
    };
  }, [path, api, client, queries]);
}

type Tree = { files: readonly { path: string }[] };

/** The paths of all files, computed once per tree. */
function cachedPaths(getTree: () => Tree | undefined): () => readonly string[] {
  let last: { tree: Tree; paths: readonly string[] } | null = null;
  return () => {
    const tree = getTree();
    if (tree === undefined) return [];
    if (last?.tree !== tree) last = { tree, paths: tree.files.map(({ path }) => path) };
    return last.paths;
  };
}
