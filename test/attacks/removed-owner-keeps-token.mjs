// Whoever is removed is out at once (docs/threat-model.md): also with the token that they made while they were an owner.
// Severity: medium-high. Root: src/server/auth/people.ts `remove`/`setRole` end sessions, passkeys and grants; tokens carry no maker (src/server/auth/tokens.ts).
import { broken, browser, failed, held, newVault, openLink, ownLink, serve } from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', 'https://notes.example.org']);
const owner = browser(service, await openLink(service, ownLink(service)));
const base = '/api/vaults/default';
const invited = await owner('POST', `${base}/people`, { name: 'Eve', role: 'owner' });
if (invited.status !== 201) failed(`inviting: ${invited.status}`);
const eve = browser(service, await openLink(service, invited.body.url));
const made = await eve('POST', `${base}/tokens`, { name: 'backup script', scope: 'write' });
if (made.status === 403) held(); // only who runs the service makes tokens
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
    `an owner who was removed (their session: ${session.status}) still reads (${read.status}) and writes (${wrote.status}) with the token that they made`,
  );
held();
