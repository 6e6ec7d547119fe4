// Signing out of all browsers also ends the one-time links that they made before.
import { api, broken, browser, failed, held, newVault, openLink, ownerBrowser, serve } from './lib/world.mjs';

await newVault();
const service = await serve();
const owner = await ownerBrowser(service);
const thief = browser(service, await openLink(service, (await owner('POST', `${api}/links`)).body.url));
const made = await thief('POST', `${api}/links`);
if (made.status === 403) held();
if (made.body.url === undefined) failed(`no link is made: ${made.status}`);
const ended = await owner('DELETE', `${api}/sessions`);
if (ended.status !== 204) failed(`signing out of all browsers: ${ended.status}`);
const gone = await thief('GET', `${api}/tree`);
if (gone.status !== 401) broken(`a session that was ended is answered with ${gone.status}`);
const { pathname, search } = new URL(made.body.url);
const response = await fetch(`${service.url}${pathname}${search}`, { redirect: 'manual' });
if (response.status !== 303) held();
const back = browser(service, response.headers.get('set-cookie').split(';')[0]);
const { status, body } = await back('GET', `${api}/status`);
broken(
  `a browser that was signed out opens a link that it made before, and is ${body.role} again (${status})`,
);
