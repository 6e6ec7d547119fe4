import { z } from 'zod';
import { api } from '../../contract/index.ts';
import { apiBase } from './http.ts';
import type { Http } from './http.ts';
import { runInSlices } from './run-in-slices.ts';
import { vaultPrefix } from './vault-prefix.ts';

/** A file and its version; `etag` must be passed to `save`. */
export type FileText = { text: string; etag: string; mediaType: string };
export type SearchRequest = z.input<typeof api.searchRequest>;
export type SearchResponse = z.output<typeof api.searchResponse>;
export type TodayItem = z.output<typeof api.today>['due'][number];
export type TreeEntry = z.output<typeof api.treeResponse>['entries'][number];
export type Project = z.output<typeof api.projects>['projects'][number];

/** Lists, searches, reads and writes the files of the vault. */
export function createFilesApi({ request, ask, get, post }: Http) {
  return {
    async tree(signal?: AbortSignal): Promise<TreeEntry[]> {
      const response = await request(`${apiBase}/tree?text=false`, signal && { signal });
      const { entries } = uncheckedTree.parse(await response.json());
      return runInSlices(parseEntries(entries));
    },
    today: (signal?: AbortSignal) => get(api.today, '/today', signal),
    tags: (signal?: AbortSignal) => get(api.tags, '/tags', signal),
    projects: (signal?: AbortSignal) => get(api.projects, '/projects', signal),
    backlinks: (path: string, signal?: AbortSignal) =>
      get(api.backlinks, `/backlinks?limit=100&path=${encodeURIComponent(path)}`, signal),
    /** The lines of a file; those of a document are extracted. */
    text: (path: string, signal?: AbortSignal) =>
      get(api.textResponse, `/text?path=${encodeURIComponent(path)}`, signal),
    search: (query: SearchRequest, signal?: AbortSignal) =>
      post(api.searchResponse, '/search', query, signal),
    async get(path: string, signal?: AbortSignal): Promise<FileText> {
      const response = await request(encodePath(path), signal && { signal });
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
    /** `etag` is null for a new file. Fails if the file on disk has another version. */
    save(path: string, text: string, etag: string | null) {
      const condition: Record<string, string> =
        etag === null ? { 'if-none-match': '*' } : { 'if-match': etag };
      return ask(api.fileWriteResponse, `${encodePath(path)}?confirm=true`, {
        method: 'PUT',
        body: text,
        headers: { 'content-type': 'text/markdown', ...condition },
      });
    },
    /** The note as one HTML file, with its images. */
    html: async (path: string): Promise<string> =>
      (await request(`${apiBase}/export/note?path=${encodeURIComponent(path)}`)).text(),
    /** Uploads a new image. Fails if the file exists. */
    uploadImage: (path: string, image: Blob) =>
      ask(api.fileWriteResponse, encodePath(path), {
        method: 'PUT',
        body: image,
        headers: { 'content-type': image.type, 'if-none-match': '*' },
      }),
    move: (from: string, to: string) => post(api.moveResponse, '/files/move', { from, to, confirm: true }),
    /** Deletes a file or folder regardless of its version, because the change can be undone. */
    remove: (path: string) =>
      ask(api.fileWriteResponse, `${encodePath(path)}?confirm=true`, {
        method: 'DELETE',
        headers: { 'if-match': '*' },
      }),
  };
}

const uncheckedTree = z.object({ entries: z.array(z.unknown()) });
const entriesPerStep = 1_000;

function* parseEntries(entries: readonly unknown[]): Generator<undefined, TreeEntry[], undefined> {
  const parsed: TreeEntry[] = [];
  for (let from = 0; from < entries.length; from += entriesPerStep) {
    parsed.push(...api.treeResponse.shape.entries.parse(entries.slice(from, from + entriesPerStep)));
    yield;
  }
  return parsed;
}

/** The URL of the bytes of a file, for images and links. */
export function fileUrl(path: string): string {
  return `${vaultPrefix()}${encodePath(path)}`;
}

/** The URL of the archive of a folder; empty for the whole vault. */
export function exportUrl(folder: string): string {
  return `${vaultPrefix()}${apiBase}/export${folder === '' ? '' : `?path=${encodeURIComponent(folder)}`}`;
}

/** The URL of a note as one HTML file. */
export function htmlUrl(path: string): string {
  return `${vaultPrefix()}${apiBase}/export/note?path=${encodeURIComponent(path)}`;
}

/** The address of the calendar feed for an application outside of the browser. */
export function calendarUrl(token: string): string {
  return `${globalThis.location.origin}${vaultPrefix()}${apiBase}/calendar.ics?token=${encodeURIComponent(token)}`;
}

function encodePath(path: string): string {
  return `${apiBase}/files/${path.split('/').map(encodeURIComponent).join('/')}`;
}
