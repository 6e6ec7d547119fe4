import { isUtf8 } from 'node:buffer';
import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import type { ChangeValue } from '../../../contract/index.ts';
import { createYielder, formatPath } from '../../../vault/index.ts';
import { unwrapToolResult } from '../tool-result.ts';
import { deleteFile, assertImage, createImage, putFile } from '../change-file.ts';
import { toSender, requireUser } from '../authorize.ts';
import { vaultBasePath, binaryContent, jsonContent, jsonBody } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { fileNotFound, parsePath, parseFilePathParam } from '../paths.ts';
import { matchesEtag, parsePrecondition, formatEtag } from '../preconditions.ts';
import { Problem } from '../problem.ts';
import { resolveOrigin } from '../resolve-source.ts';
import type { HttpApp } from '../request-env.ts';
import { unwrapChangeId } from '../views.ts';
import { parseMediaType } from '../read-body.ts';

const tags = ['files'];
/** Matches everything below `files/`, including slashes; `/openapi.json` shows it as `{path}`. */
const path = `${vaultBasePath}/files/{path{.+}}` as const;

const get = createRoute({
  method: 'get',
  path,
  tags,
  summary: 'Read a file, byte for byte',
  description: 'The ETag is the revision of the file. With If-None-Match, responds 304 if it is unchanged.',
  request: { params: api.fileParams, headers: api.conditionalReadHeaders },
  responses: {
    200: binaryContent(
      'application/octet-stream',
      'The bytes; text/markdown, image/* or application/octet-stream',
    ),
    304: { description: 'Not modified' },
  },
});
const put = createRoute({
  method: 'put',
  path,
  tags,
  summary: 'Create or replace a file',
  description:
    'Requires If-Match with the ETag, or If-None-Match: * to create the file. The stamps in the frontmatter are set. The signed-in user may also upload a new image to a bucket, as image/*.',
  request: {
    params: api.fileParams,
    headers: api.conditionalWriteHeaders,
    query: api.confirmQuery,
    body: { required: true, content: binaryContent('text/markdown', '').content },
  },
  responses: {
    200: jsonContent(api.fileWriteResponse, 'Replaced'),
    201: jsonContent(api.fileWriteResponse, 'Created'),
  },
});
const remove = createRoute({
  method: 'delete',
  path,
  tags,
  summary: 'Delete a file or folder; can be undone',
  description:
    'Requires If-Match with the ETag; folders have no ETag: use * to delete a folder with its contents.',
  request: { params: api.fileParams, headers: api.conditionalWriteHeaders, query: api.confirmQuery },
  responses: { 200: jsonContent(api.fileWriteResponse, 'Deleted') },
});
const move = createRoute({
  method: 'post',
  path: `${vaultBasePath}/files/move`,
  tags,
  summary: 'Move or rename a file or folder; existing files are never overwritten',
  request: { params: api.vaultParams, body: jsonBody(api.moveRequest) },
  responses: { 200: jsonContent(api.moveResponse, 'The moved files and the number of updated links') },
});

export function fileRoutes(app: HttpApp, { keepsake, auth }: RouteContext): void {
  app.openapi(get, async (c) => {
    const file = parseFilePathParam(c.req.path);
    const read = await keepsake.readFile(file);
    if (read.kind !== 'file') throw fileNotFound(file, read);
    const headers = {
      etag: formatEtag(read.revision),
      'cache-control': 'private, no-cache',
      'content-security-policy': "sandbox; default-src 'none'",
    };
    if (matchesEtag(c.req.header('if-none-match') ?? null, read.revision)) return c.body(null, 304, headers);
    const isUnknown = read.mediaType === 'application/octet-stream';
    return c.body(new Uint8Array(read.bytes), 200, {
      ...headers,
      'content-type': read.mediaType,
      'content-disposition': isUnknown ? 'attachment' : 'inline',
    });
  });
  app.openapi(put, async (c) => {
    const file = parseFilePathParam(c.req.path);
    const pause = createYielder();
    const sent = Buffer.from(await c.req.arrayBuffer());
    await pause();
    // Only the user may write images; other clients may write only notes.
    const isImage = parseMediaType(c.req.raw.headers)?.startsWith('image/') === true;
    const origin = resolveOrigin(c.get('caller'));
    const isConfirmed = c.req.valid('query').confirm === 'true';
    if (isImage) {
      assertImage(file, sent);
      requireUser(c.get('caller'));
    }
    const precondition = parsePrecondition(c.req.raw.headers);
    const changeRequest = {
      path: file,
      precondition,
      origin,
      ...toSender(c.get('caller'), auth),
      isConfirmed,
    };
    const { revision, change, isNew } = isImage
      ? await createImage(keepsake, changeRequest, sent)
      : await putFile(keepsake, changeRequest, textOf(c.req.raw.headers, sent));
    if (revision !== null) c.header('etag', formatEtag(revision));
    const written = { path: formatPath(file), revision, change };
    return isNew ? c.json(written, 201) : c.json(written, 200);
  });
  app.openapi(remove, async (c) => {
    const file = parseFilePathParam(c.req.path);
    const precondition = parsePrecondition(c.req.raw.headers);
    const origin = resolveOrigin(c.get('caller'));
    const isConfirmed = c.req.valid('query').confirm === 'true';
    const { change } = await deleteFile(keepsake, {
      path: file,
      precondition,
      origin,
      ...toSender(c.get('caller'), auth),
      isConfirmed,
    });
    return c.json({ path: formatPath(file), revision: null, change }, 200);
  });
  app.openapi(move, async (c) => {
    const { from, to, confirm } = c.req.valid('json');
    const [source, target] = [parsePath(from), parsePath(to)];
    const [read, there] = [await keepsake.readFile(source), await keepsake.readFile(target)];
    if (read.kind === 'missing') throw fileNotFound(source, read);
    if (there.kind === 'file')
      throw new Problem('conflict', { detail: `${formatPath(target)} already exists; choose another name` });
    const outcome = await keepsake.callTool({
      tool: 'move',
      input: { from, to },
      reader: 'person',
      origin: resolveOrigin(c.get('caller')),
      ...toSender(c.get('caller'), auth),
      isConfirmed: confirm,
    });
    const change = outcome.kind === 'result' && outcome.commit ? unwrapChangeId(outcome.commit) : null;
    const { text, value } = unwrapToolResult(outcome);
    const { changes, links = 0 } = value as ChangeValue;
    return c.json({ text, changes, links, change }, 200);
  });
}

function textOf(headers: Headers, content: Buffer): string {
  const type = parseMediaType(headers);
  if (type !== 'text/markdown' && type !== 'text/plain')
    throw new Problem('wrong-type', { detail: 'send the file as text/markdown' });
  if (!isUtf8(content) || content.includes(0))
    throw new Problem('refused', { detail: 'the body is not valid UTF-8 text' });
  return content.toString();
}
