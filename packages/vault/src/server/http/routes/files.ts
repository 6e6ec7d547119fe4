import { isUtf8 } from 'node:buffer';
import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import type { ChangeValue } from '../../../contract/index.ts';
import { showPath } from '../../../vault/index.ts';
import { resultOf } from '../call-tool.ts';
import { deleteFile, mustBeImage, placeImage, putFile } from '../change-file.ts';
import { checkPerson } from '../check-person.ts';
import { base, bytes, json, jsonBody } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { noFile, pathFrom, pathInAddress } from '../paths.ts';
import { isKnown, readPrecondition, tagOf } from '../preconditions.ts';
import { Problem } from '../problem.ts';
import { originOf } from '../source-of.ts';
import type { HttpApp } from '../request-env.ts';
import { changeMade } from '../show.ts';
import { mediaType } from '../take-body.ts';

const tags = ['files'];
/** Everything below `files/`, slashes included; `/openapi.json` says `{path}`. */
const path = `${base}/files/{path{.+}}` as const;

const get = createRoute({
  method: 'get',
  path,
  tags,
  summary: 'Read a file, byte for byte',
  description: 'ETag is its revision. If-None-Match is answered with 304 when it is still the same.',
  request: { params: api.fileParams, headers: api.cachedHeaders },
  responses: {
    200: bytes('application/octet-stream', 'The bytes; text/markdown, image/* or application/octet-stream'),
    304: { description: 'It is still the same' },
  },
});
const put = createRoute({
  method: 'put',
  path,
  tags,
  summary: 'Create or replace a file',
  description:
    'Needs If-Match with the ETag, or If-None-Match: * to create it. The stamps in the frontmatter are set. The person may also put a new picture into a bucket, as image/*.',
  request: {
    params: api.fileParams,
    headers: api.matchHeaders,
    query: api.confirmQuery,
    body: { required: true, content: bytes('text/markdown', '').content },
  },
  responses: { 200: json(api.fileWritten, 'Replaced'), 201: json(api.fileWritten, 'Created') },
});
const remove = createRoute({
  method: 'delete',
  path,
  tags,
  summary: 'Delete a file or folder; can be undone',
  description:
    'Needs If-Match with the ETag; for a folder, which has none and goes with all that is in it, *.',
  request: { params: api.fileParams, headers: api.matchHeaders, query: api.confirmQuery },
  responses: { 200: json(api.fileWritten, 'Deleted') },
});
const move = createRoute({
  method: 'post',
  path: `${base}/files/move`,
  tags,
  summary: 'Move or rename a file or folder; never replaces anything',
  request: { params: api.vaultParams, body: jsonBody(api.moveRequest) },
  responses: { 200: json(api.filesMoved, 'What was moved, and which links point to it') },
});

export function fileRoutes(app: HttpApp, { keepsake }: RouteParts): void {
  app.openapi(get, async (c) => {
    const file = pathInAddress(c.req.path);
    const read = await keepsake.readFile(file);
    if (read.kind !== 'file') throw noFile(file, read);
    const headers = {
      etag: tagOf(read.revision),
      'cache-control': 'private, no-cache',
      'content-security-policy': "sandbox; default-src 'none'",
    };
    if (isKnown(c.req.header('if-none-match') ?? null, read.revision)) return c.body(null, 304, headers);
    const isUnknown = read.mediaType === 'application/octet-stream';
    return c.body(new Uint8Array(read.bytes), 200, {
      ...headers,
      'content-type': read.mediaType,
      'content-disposition': isUnknown ? 'attachment' : 'inline',
    });
  });
  app.openapi(put, async (c) => {
    const file = pathInAddress(c.req.path);
    const sent = Buffer.from(await c.req.arrayBuffer());
    // A program writes notes, and nothing else.
    const isImage = mediaType(c.req.raw.headers)?.startsWith('image/') === true;
    const origin = originOf(c.get('caller'));
    const isConfirmed = c.req.valid('query').confirm === 'true';
    if (isImage) {
      mustBeImage(file, sent);
      checkPerson(c.get('caller'));
    }
    const wanted = readPrecondition(c.req.raw.headers);
    const wish = { path: file, wanted, origin, token: c.get('caller')?.token ?? undefined, isConfirmed };
    const { revision, change, isNew } = isImage
      ? await placeImage(keepsake, wish, sent)
      : await putFile(keepsake, wish, textOf(c.req.raw.headers, sent));
    if (revision !== null) c.header('etag', tagOf(revision));
    const written = { path: showPath(file), revision, change };
    return isNew ? c.json(written, 201) : c.json(written, 200);
  });
  app.openapi(remove, async (c) => {
    const file = pathInAddress(c.req.path);
    const wanted = readPrecondition(c.req.raw.headers);
    const origin = originOf(c.get('caller'));
    const isConfirmed = c.req.valid('query').confirm === 'true';
    const { change } = await deleteFile(keepsake, {
      path: file,
      wanted,
      origin,
      token: c.get('caller')?.token ?? undefined,
      isConfirmed,
    });
    return c.json({ path: showPath(file), revision: null, change }, 200);
  });
  app.openapi(move, async (c) => {
    const { from, to, confirm } = c.req.valid('json');
    const [source, target] = [pathFrom(from), pathFrom(to)];
    const [read, there] = [await keepsake.readFile(source), await keepsake.readFile(target)];
    if (read.kind === 'missing') throw noFile(source, read);
    if (there.kind === 'file')
      throw new Problem('conflict', { detail: `${showPath(target)} exists already and is not replaced` });
    const outcome = await keepsake.callTool({
      tool: 'move',
      input: { from, to },
      reader: 'person',
      origin: originOf(c.get('caller')),
      token: c.get('caller')?.token ?? undefined,
      isConfirmed: confirm,
    });
    const change = outcome.kind === 'result' && outcome.commit ? changeMade(outcome.commit) : null;
    const { text, value } = resultOf(outcome);
    const { changes, links = 0 } = value as ChangeValue;
    return c.json({ text, changes, links, change }, 200);
  });
}

function textOf(headers: Headers, content: Buffer): string {
  const type = mediaType(headers);
  if (type !== 'text/markdown' && type !== 'text/plain')
    throw new Problem('wrong-type', { detail: 'a file is sent as text/markdown' });
  if (!isUtf8(content) || content.includes(0))
    throw new Problem('refused', { detail: 'it is not UTF-8 text' });
  return content.toString();
}
