// Removing a member ends their access at once, also with a token that they created.
import { api, broken, failed, held, invite, newVault, ownerBrowser, serve } from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', 'https://notes.example.org']);
const owner = await ownerBrowser(service);
const eve = await invite(service, owner, 'Eve', 'owner');
const made = await eve.call('POST', `${api}/tokens`, { name: 'backup script', scope: 'write' });
if (made.status !== 201) failed(`a token: ${made.status}`);
const removed = await owner('DELETE', `${api}/people/${eve.id}`);
if (removed.status !== 204) failed(`removing: ${removed.status}`);
const session = await eve.call('GET', `${api}/tree`);
const wrote = await service.call(made.body.secret, 'POST', 'tools/write', {
  input: { path: 'bucket/eve.md', content: 'still here\n' },
});
const read = await service.call(made.body.secret, 'GET', 'files/overview.md');
if (read.status < 400 || wrote.status < 400)
  broken(
    `a removed owner (session: ${session.status}) still reads (${read.status}) and writes (${wrote.status}) with their token`,
  );
held();
