// Once a member is removed, nothing that depends on their access works, also for requests that were sent before.
import {
  broken,
  browser,
  failed,
  held,
  keepsake,
  newVault,
  openLink,
  prepare,
  printedLink,
  serve,
  sleep,
} from './lib/world.mjs';

await newVault({
  'changelog.md': `# 2025-07-14\n${Array.from({ length: 3_000 }, (_, i) => `\n## Entry ${i}\nWhat happened on day ${i}.\n`).join('')}`,
});
await keepsake(['append', 'changelog.md', '--top'], { input: '## New entry\n' });
const [{ id: change }] = JSON.parse(await prepare('history', '--json')).changes;
const service = await serve({}, ['--public', 'https://notes.example.org']);
const owner = browser(service, await openLink(service, printedLink(service)));
const base = '/api/vaults/default';
const invited = await owner('POST', `${base}/people`, { name: 'Eve', role: 'owner' });
if (invited.status !== 201) failed(`inviting: ${invited.status}`);
const eve = browser(service, await openLink(service, invited.body.url));
await sleep(2_000);
// As many requests run in parallel as one client may have; the last one is queued.
const slow = Array.from({ length: 48 }, () =>
  eve('GET', `${base}/history/${change}`).catch(() => ({ status: 0 })),
);
await sleep(60);
const queued = eve('POST', `${base}/people`, { name: 'Mallory', role: 'owner' }).then((r) => ({
  ...r,
  at: Date.now(),
}));
await sleep(60);
const removed = await owner('DELETE', `${base}/people/${invited.body.id}`);
const removedAt = Date.now();
if (removed.status !== 204) failed(`removing: ${removed.status}`);
const { status, body, at } = await queued;
await Promise.all(slow);
const session = await eve('GET', `${base}/tree`);
if (status === 201 && at > removedAt) {
  const back = browser(service, await openLink(service, body.url));
  const made = await back('POST', `${base}/tokens`, { name: 'back', scope: 'write' });
  broken(
    `${at - removedAt} ms after an owner was removed (session: ${session.status}), their request to invite a new owner is carried out (${status}); with its link they create a token (${made.status})`,
  );
}
if (status === 201) failed('the request was carried out before the removal');
held();
