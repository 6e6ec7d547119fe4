import { createRoute } from '@hono/zod-openapi';
import type { Context } from 'hono';
import { api } from '../../../contract/index.ts';
import { formatPath } from '../../../vault/index.ts';
import type { Principal } from '../../auth/auth.ts';
import { isLoopback } from '../../auth/host-allowlist.ts';
import { formatHtmlPage, styleSource } from '../../note-html/html-page.ts';
import type { HtmlPage } from '../../note-html/html-page.ts';
import type { ShareLink } from '../../sharing/share-links.ts';
import { chooseLanguage, formatDay, shareTexts } from '../../sharing/share-text.ts';
import { requireUser } from '../authorize.ts';
import { vaultBasePath, jsonContent, jsonBody } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { parsePath } from '../paths.ts';
import { Problem } from '../problem.ts';
import type { HttpApp, HttpEnv } from '../request-env.ts';

const tags = ['sharing'];
const description = 'For the signed-in user only, not for tokens. Owners see all links, writers their own.';

const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/share-links`,
  tags,
  summary: 'List the links under which anyone can read a note',
  description,
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(api.shareLinks, 'The links that work, newest first, without secrets') },
});
const create = createRoute({
  method: 'post',
  path: `${vaultBasePath}/share-links`,
  tags,
  summary: 'Create a link under which anyone can read a note',
  description: `${description} The page of the link has no scripts and leads to no other note.`,
  request: { params: api.vaultParams, body: jsonBody(api.shareLinkRequest) },
  responses: { 201: jsonContent(api.createdShareLink, 'The link (returned once)') },
});
const revoke = createRoute({
  method: 'delete',
  path: `${vaultBasePath}/share-links/{id}`,
  tags,
  summary: 'End a link',
  description,
  request: { params: api.answerParams },
  responses: { 204: { description: 'Ended immediately' } },
});

/** Members manage their own links; owners manage those of all. */
function canManage(caller: Principal | null, { maker }: ShareLink): boolean {
  return caller?.role === 'owner' || (caller !== null && caller.memberId === maker);
}

export function sharingRoutes(app: HttpApp, parts: RouteContext): void {
  const { sharing, people, oauth, prefix = '' } = parts;
  const toView = ({ id, path, createdAt, until, maker }: ShareLink) => {
    const by = maker === null ? null : (people().find(maker)?.name ?? null);
    return { id, path: formatPath(path), createdAt, until, by };
  };
  const isLocal = (c: Context<HttpEnv>): boolean =>
    oauth === undefined && isLoopback(new URL(c.req.url).hostname.replace(/^\[(.*)\]$/, '$1'));
  app.openapi(list, (c) => {
    const caller = c.get('caller');
    requireUser(caller);
    const links = sharing.list().filter((link) => canManage(caller, link));
    return c.json({ links: links.map(toView), isLocal: isLocal(c) }, 200);
  });
  app.openapi(create, async (c) => {
    const caller = c.get('caller');
    requireUser(caller);
    const { path, days, confirm } = c.req.valid('json');
    const note = parsePath(path);
    if (isLocal(c) && !confirm)
      throw new Problem('unconfirmed', { detail: 'only this machine can open a link to this address' });
    const created = await sharing.create(note, days, caller?.memberId ?? null);
    if (created === 'too-large')
      throw new Problem('refused', { detail: 'notes over 2 MB cannot be shared', hint: 'split the note' });
    if (created === 'missing')
      throw new Problem('refused', {
        detail: `${formatPath(note)} is not a note that can be shared`,
        hint: 'share an existing note that is not hidden from AI',
      });
    const { secret, ...link } = created;
    const address = oauth?.url ?? `${new URL(c.req.url).origin}${prefix}`;
    return c.json({ ...toView(link), url: `${address}/s/${secret}/` }, 201);
  });
  app.openapi(revoke, (c) => {
    const caller = c.get('caller');
    requireUser(caller);
    const { id } = c.req.valid('param');
    const link = sharing.list().find((each) => each.id === id);
    if (link === undefined || !canManage(caller, link))
      throw new Problem('no-such-route', { detail: 'link not found' });
    sharing.remove(id);
    return c.body(null, 204);
  });
  sharedPages(app, parts);
}

const pagePolicy = [
  "default-src 'none'",
  `style-src ${styleSource}`,
  "img-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const pageHeaders = {
  'cache-control': 'no-store',
  'content-security-policy': pagePolicy,
  'cross-origin-opener-policy': 'same-origin',
  'permissions-policy': 'camera=(), geolocation=(), microphone=()',
  'referrer-policy': 'no-referrer',
  'x-robots-tag': 'noindex, nofollow, noarchive',
};

/** The pages of the links, which need no sign-in. All links that do not work get the same response. */
function sharedPages(app: HttpApp, { sharing }: RouteContext): void {
  const respond = (c: Context<HttpEnv>, status: 200 | 404, page: Omit<HtmlPage, 'metas'>): Response => {
    const metas = [{ name: 'robots', content: 'noindex, nofollow' }];
    return c.html(formatHtmlPage({ ...page, metas }), status, { ...pageHeaders, vary: 'accept-language' });
  };
  const notFound = (c: Context<HttpEnv>): Response => {
    const language = chooseLanguage(c.req.header('accept-language'));
    const { goneTitle: title, gone } = shareTexts[language];
    return respond(c, 404, { title, language, html: `<h1>${title}</h1>`, footer: gone });
  };
  // The addresses of images are relative to the address with a slash.
  app.get('/s/:secret{[\\w-]+}', (c) => c.redirect(`${c.req.param('secret')}/`, 308));
  app.get('/s/:secret{[\\w-]+}/', async (c) => {
    const language = chooseLanguage(c.req.header('accept-language'));
    const shared = await sharing.open(c.req.param('secret'), language);
    if (shared === null) return notFound(c);
    const { link, note } = shared;
    const footer = shareTexts[language].until(formatDay(link.until, language));
    return respond(c, 200, { ...note, language, footer });
  });
  app.get('/s/:secret{[\\w-]+}/f/:key{[0-9a-f]+}', async (c) => {
    const file = await sharing.openFile(c.req.param('secret'), c.req.param('key'));
    if (file === null) return notFound(c);
    const isImage = file.mediaType.startsWith('image/');
    return c.body(new Uint8Array(file.bytes), 200, {
      ...pageHeaders,
      'content-security-policy': "sandbox; default-src 'none'",
      'content-type': isImage ? file.mediaType : 'application/octet-stream',
      'content-disposition': isImage
        ? 'inline'
        : `attachment; filename*=UTF-8''${encodeURIComponent(file.name)}`,
    });
  });
  app.get('/s/*', notFound);
}
