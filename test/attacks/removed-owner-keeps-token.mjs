// Removing a member ends their access at once, also with a token that they created.
import { broken, browser, failed, held, newVault, openLink, printedLink, serve } from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', 'https://notes.example.org']);
const owner = browser(service, await openLink(service, printedLink(service)));
const base = '/api/vaults/default';
const invited = await owner('POST', `${base}/people`, { name: 'Eve', role: 'owner' });
if (invited.status !== 201) failed(`inviting: ${invited.status}`);
const eve = browser(service, await openLink(service, invited.body.url));
const made = await eve('POST', `${base}/tokens`, { name: 'backup script', scope: 'write' });
if (made.status !== 201) failed(`a token: ${made.status}`);
const removed = await owner('DELETE', `${base}/people/${invited.body.id}`);
if (removed.status !== 204) failed(`removing: ${removed.status}`);
const session = await eve('GET', `${base}/tree`);
const wrote = await service.call(made.body.secret, 'POST', 'tools/write', {
  input: { path: 'bucket/eve.md', content: 'still here\n' },
});
const read = await service.call(made.body.secret, 'GET', 'files/overview.md');
if (read.status < 400 || wrote.status < 400)
  broken(
    `a removed owner (session: ${session.status}) still reads (${read.status}) and writes (${wrote.status}) with their token`,
  );
held();
