import { createRoute } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { z } from 'zod';
import { api } from '../../../contract/index.ts';
import {
  baseName,
  childPath,
  escapeInvisible,
  findFolder,
  findFreeName,
  pathSegments,
  rootPath,
  toRelativePath,
  walkFilePaths,
  walkFiles,
} from '../../../vault/index.ts';
import type { VaultPath } from '../../../vault/index.ts';
import { chooseLanguage } from '../../note-html/page-text.ts';
import { vaultBasePath, binaryContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { fileNotFound, parsePath } from '../paths.ts';
import { Problem } from '../problem.ts';
import type { HttpApp, HttpEnv } from '../request-env.ts';
import { streamZip } from '../stream-zip.ts';

const exportFolder = createRoute({
  method: 'get',
  path: `${vaultBasePath}/export`,
  tags: ['files'],
  summary: 'Download a folder or the whole vault as a zip archive',
  description:
    'Contains the files that the caller may see, byte for byte. For the signed-in user, not-in-this-archive.txt names the files that are left out, for example because of their names.',
  request: {
    params: api.vaultParams,
    query: z.object({ path: z.string().max(4_000).optional().describe('The folder; default: the vault') }),
  },
  responses: { 200: binaryContent('application/zip', 'The archive') },
});

const exportNote = createRoute({
  method: 'get',
  path: `${vaultBasePath}/export/note`,
  tags: ['files'],
  summary: 'Download a note as one HTML file',
  description:
    'Without scripts; images are embedded up to 10 MB in total, and links to other files are their text. In the language of the browser.',
  request: {
    params: api.vaultParams,
    query: z.object({ path: z.string().max(4_000).describe('The note') }),
  },
  responses: { 200: binaryContent('text/html', 'The file') },
});

const leftOutTexts = {
  en: 'These files are in the folder, but not in this archive:',
  fr: 'Ces fichiers sont dans le dossier, mais pas dans cette archive :',
};
const maxNoteBytes = 2_000_000;
const noteExtension = /\.(?:md|markdown)$/i;

export function exportRoutes(app: HttpApp, parts: RouteContext): void {
  const { keepsake, catalogue, streams, vaultName } = parts;
  app.openapi(exportNote, (c) => respondWithNote(c, parts, parsePath(c.req.valid('query').path)));
  const readBytes = async (path: VaultPath): Promise<Uint8Array> => {
    const read = await keepsake.readFile(path);
    if (read.kind !== 'file') throw fileNotFound(path, read);
    return read.bytes;
  };
  app.openapi(exportFolder, async (c) => {
    const { path } = c.req.valid('query');
    const folder = path === undefined ? rootPath : parsePath(path);
    const found = findFolder(await keepsake.contents(), folder);
    if (found === undefined)
      throw new Problem('no-such-file', { detail: 'folder not found', hint: 'give the path of a folder' });
    const depth = pathSegments(folder).length;
    const entries = [...walkFiles(found)].map(({ folder: parent, name, entry }) => {
      const file = childPath(parent, name);
      return {
        name: pathSegments(file).slice(depth).join('/'),
        modifiedAt: entry.mtime,
        read: () => readBytes(file),
      };
    });
    const caller = c.get('caller');
    const leftOut = caller?.isUser === true ? listLeftOut(catalogue, folder) : [];
    if (leftOut.length > 0) {
      const text = [leftOutTexts[chooseLanguage(c.req.header('accept-language'))], '', ...leftOut, ''].join(
        '\n',
      );
      entries.push({
        name: findFreeName('not-in-this-archive.txt', (name) => found.files.has(name)),
        modifiedAt: Date.now(),
        read: async () => Buffer.from(text),
      });
    }
    streams.reserve(caller);
    const name = depth === 0 ? vaultName : baseName(folder);
    const headers = {
      'content-type': 'application/zip',
      'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}.zip`,
      'cache-control': 'no-store',
      // Without it, an archive that breaks off at once would be sent with the length that it has by then.
      'transfer-encoding': 'chunked',
    };
    if (c.req.method === 'HEAD') return c.body(null, 200, headers);
    return c.body(streams.track(streamZip(entries), caller), 200, headers);
  });
}

/** The files below a folder that a list of its contents leaves out, with the reason. */
function listLeftOut({ skipped, conflictCopies }: RouteContext['catalogue'], folder: VaultPath): string[] {
  const copies = conflictCopies().map(({ path }) => ({
    path,
    reason: 'a conflict copy that is not merged yet',
  }));
  return [...skipped(), ...copies]
    .filter(({ path }) => path.startsWith(`${folder}/`))
    .map(({ path, reason }) => `${escapeInvisible(path.slice(folder.length + 1))}: ${reason}`);
}

async function respondWithNote(
  c: Context<HttpEnv>,
  { keepsake, renderNote }: RouteContext,
  path: VaultPath,
): Promise<Response> {
  const read = await keepsake.readFile(path);
  if (read.kind !== 'file') throw fileNotFound(path, read);
  if (!read.mediaType.startsWith('text/markdown') || read.bytes.length > maxNoteBytes)
    throw new Problem('refused', { detail: 'only notes of up to 2 MB can be downloaded as HTML' });
  const request = {
    text: read.bytes.toString(),
    path: toRelativePath(path),
    files: [...walkFilePaths(await keepsake.contents())]
      .map(toRelativePath)
      .filter((file) => !noteExtension.test(file)),
    language: chooseLanguage(c.req.header('accept-language')),
    at: Date.now(),
  };
  const page = await renderNote(request, async (file) => {
    const image = await keepsake.readFile(file.split('/').reduce(childPath, rootPath));
    return image.kind === 'file' && image.mediaType.startsWith('image/') ? image : null;
  });
  if (page === null)
    throw new Problem('refused', {
      detail: 'the note takes too long to render',
      hint: 'download it as markdown',
    });
  const name = encodeURIComponent(`${baseName(path).replace(noteExtension, '')}.html`);
  return c.html(page, 200, {
    'cache-control': 'no-store',
    'content-security-policy': "sandbox; default-src 'none'",
    'content-disposition': `attachment; filename*=UTF-8''${name}`,
  });
}
