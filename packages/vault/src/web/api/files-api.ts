import type { z } from 'zod';
import { api } from '../../contract/index.ts';
import { base } from './http.ts';
import type { Http } from './http.ts';
import { place } from './place.ts';

/** A file as it was read; `etag` is what a write must show. */
export type FileText = { text: string; etag: string; mediaType: string };
export type SearchRequest = z.input<typeof api.searchRequest>;
export type Found = z.output<typeof api.searchFound>;
export type Project = z.output<typeof api.projects>['projects'][number];

/** Lists, searches, reads and writes the files of the vault. */
export function createFilesApi({ request, ask, get, post }: Http) {
  return {
    tree: (signal?: AbortSignal) => get(api.treeShown, '/tree', signal),
    projects: (signal?: AbortSignal) => get(api.projects, '/projects', signal),
    backlinks: (path: string, signal?: AbortSignal) =>
      get(api.backlinks, `/backlinks?limit=100&path=${encodeURIComponent(path)}`, signal),
    search: (query: SearchRequest, signal?: AbortSignal) => post(api.searchFound, '/search', query, signal),
    async get(path: string, signal?: AbortSignal): Promise<FileText> {
      const response = await request(addressOf(path), signal && { signal });
      const mediaType = response.headers.get('content-type') ?? '';
      const isText = mediaType.startsWith('text/');
      return {
        etag: response.headers.get('etag') ?? '',
        mediaType,
        text: isText
          ? new TextDecoder('utf-8', { ignoreBOM: true }).decode(await response.arrayBuffer())
          : '',
      };
    },
    /** `etag` null is for a file that is not there yet. */
    save(path: string, text: string, etag: string | null) {
      const condition: Record<string, string> =
        etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
      return ask(api.fileWritten, `${addressOf(path)}?confirm=true`, {
        method: 'PUT',
        body: text,
        headers: { 'content-type': 'text/markdown', ...condition },
      });
    },
    /** A new picture; one that is there is never replaced. */
    placeImage: (path: string, image: Blob) =>
      ask(api.fileWritten, addressOf(path), {
        method: 'PUT',
        body: image,
        headers: { 'content-type': image.type, 'if-none-match': '*' },
      }),
    move: (from: string, to: string) => post(api.filesMoved, '/files/move', { from, to, confirm: true }),
    /** A file or a folder, whatever it is now: it can be brought back. */
    remove: (path: string) =>
      ask(api.fileWritten, `${addressOf(path)}?confirm=true`, {
        method: 'DELETE',
        headers: { 'if-match': '*' },
      }),
  };
}

/** Where the bytes of a file are, for images and links. */
export function fileUrl(path: string): string {
  return `${place()}${addressOf(path)}`;
}

function addressOf(path: string): string {
  return `${base}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}
