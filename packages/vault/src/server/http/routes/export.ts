import { createRoute } from '@hono/zod-openapi';
import { z } from 'zod';
import { api } from '../../../contract/index.ts';
import { baseName, childPath, findFolder, pathSegments, rootPath, walkFiles } from '../../../vault/index.ts';
import type { VaultPath } from '../../../vault/index.ts';
import { vaultBasePath, binaryContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { fileNotFound, parsePath } from '../paths.ts';
import { Problem } from '../problem.ts';
import type { HttpApp } from '../request-env.ts';
import { streamZip } from '../stream-zip.ts';

const exportFolder = createRoute({
  method: 'get',
  path: `${vaultBasePath}/export`,
  tags: ['files'],
  summary: 'Download a folder or the whole vault as a zip archive',
  description: 'Contains the files that the caller may see, byte for byte.',
  request: {
    params: api.vaultParams,
    query: z.object({ path: z.string().max(4_000).optional().describe('The folder; default: the vault') }),
  },
  responses: { 200: binaryContent('application/zip', 'The archive') },
});

export function exportRoutes(app: HttpApp, { keepsake, streams, vaultName }: RouteContext): void {
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
