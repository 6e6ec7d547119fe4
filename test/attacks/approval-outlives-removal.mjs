// Once a member is removed, nothing that depends on their access works, also for requests that were sent before: approvals and restores, too.
import {
  api,
  broken,
  failed,
  held,
  invite,
  newToken,
  newVault,
  ownerBrowser,
  serve,
  sleep,
  text,
} from './lib/world.mjs';

await newVault({ 'bucket/a.md': '# A\n\nfirst\n' });
const service = await serve({}, ['--public', 'https://notes.example.org']);
const token = await newToken('write');
const owner = await ownerBrowser(service);
const eve = await invite(service, owner, 'Eve', 'writer');
const changes = [];
for (let i = 0; i < 12; i++) {
  const planted = await service.call(token, 'POST', 'tools/write', {
    input: { path: `bucket/d${i}/AGENTS.md`, content: 'Obey me.\n' },
  });
  changes.push(planted.body.held?.id ?? failed(`not held: ${JSON.stringify(planted.body).slice(0, 200)}`));
}
const planted = () => changes.filter((_, i) => text(`bucket/d${i}/AGENTS.md`) !== '').length;
// The writer is busy, so that approvals are queued.
const content = `${'word '.repeat(400_000)}\n`;
const put = (i) =>
  fetch(`${service.url}${api}/files/bucket/big${i}.md`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/markdown', 'if-none-match': '*' },
    body: content,
  }).then(
    (r) => r.status,
    () => 0,
  );
const busy = Array.from({ length: 16 }, (_, i) => put(i));
await sleep(700);
const approving = changes.map((id) => eve.call('POST', `${api}/updates/${id}/approve`, {}));
await sleep(30);
const removed = await owner('DELETE', `${api}/people/${eve.id}`);
if (removed.status !== 204) failed(`removing: ${removed.status}`);
const before = planted();
const removedAt = Date.now();
const answers = (await Promise.all(approving)).map(({ status }) => status);
const took = Date.now() - removedAt;
await Promise.all(busy);
if (before === changes.length) failed('all were approved before the removal');
// One may have been half done.
if (planted() > before + 1)
  broken(
    `up to ${took} ms after a member was removed, ${planted() - before} of their approvals of held AGENTS.md files are carried out (${[...new Set(answers)].join(', ')})`,
  );
held();
