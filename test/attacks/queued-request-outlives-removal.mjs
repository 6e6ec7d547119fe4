// Once a member is removed, nothing that depends on their access works, also for requests that were sent before.
import {
  api,
  broken,
  browser,
  failed,
  held,
  invite,
  keepsake,
  newVault,
  openLink,
  ownerBrowser,
  prepare,
  serve,
  sleep,
} from './lib/world.mjs';

await newVault({
  'changelog.md': `# 2025-07-14\n${Array.from({ length: 3_000 }, (_, i) => `\n## Entry ${i}\nWhat happened on day ${i}.\n`).join('')}`,
});
await keepsake(['append', 'changelog.md', '--top'], { input: '## New entry\n' });
const [{ id: change }] = JSON.parse(await prepare('history', '--json')).changes;
const service = await serve({}, ['--public', 'https://notes.example.org']);
const owner = await ownerBrowser(service);
const eve = await invite(service, owner, 'Eve', 'owner');
await sleep(2_000);
// As many requests run in parallel as one client may have; the last one is queued.
const slow = Array.from({ length: 48 }, () =>
  eve.call('GET', `${api}/history/${change}`).catch(() => ({ status: 0 })),
);
await sleep(60);
const queued = eve.call('POST', `${api}/people`, { name: 'Mallory', role: 'owner' }).then((r) => ({
  ...r,
  at: Date.now(),
}));
await sleep(60);
const removed = await owner('DELETE', `${api}/people/${eve.id}`);
const removedAt = Date.now();
if (removed.status !== 204) failed(`removing: ${removed.status}`);
const { status, body, at } = await queued;
await Promise.all(slow);
const session = await eve.call('GET', `${api}/tree`);
if (status === 201 && at > removedAt) {
  const back = browser(service, await openLink(service, body.url));
  const made = await back('POST', `${api}/tokens`, { name: 'back', scope: 'write' });
  broken(
    `${at - removedAt} ms after an owner was removed (session: ${session.status}), their request to invite a new owner is carried out (${status}); with its link they create a token (${made.status})`,
  );
}
if (status === 201) failed('the request was carried out before the removal');
held();
