// A one-time link is used up by opening it, not by a HEAD request, which link previews and mail scanners send.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, printedLink, serve, start, world } from './lib/world.mjs';

const folder = join(world, 'vaults');
mkdirSync(folder);
const init = start(['init', join(folder, 'a')], { stdio: 'ignore' });
if ((await new Promise((resolve) => init.on('exit', resolve))) !== 0) failed('no vault was created');
const service = await serve({}, ['--vaults', folder]);
const { pathname, search } = new URL(printedLink(service));
const link = `${service.url}${pathname}${search}`;
const head = await fetch(link, { method: 'HEAD', redirect: 'manual' });
const open = await fetch(link, { redirect: 'manual' });
if (head.headers.get('set-cookie') !== null) broken('a HEAD request gets the cookie of a session');
if (open.status !== 303)
  broken(`after a HEAD request (${head.status}) the link is answered with ${open.status}`);
held();
