// Once a member is removed or has another role, nothing that depends on their access works: also not links that they made for others.
import { api, broken, browser, failed, held, invite, newVault, ownerBrowser, serve } from './lib/world.mjs';

await newVault();
const service = await serve({}, ['--public', 'https://notes.example.org']);
const owner = await ownerBrowser(service);
const open = async (link) => {
  const { pathname, search } = new URL(link);
  const response = await fetch(`${service.url}${pathname}${search}`, { redirect: 'manual' });
  return response.status === 303 ? browser(service, response.headers.get('set-cookie').split(';')[0]) : null;
};
const seen = [];
for (const end of ['demote', 'remove']) {
  const alice = await invite(service, owner, 'Alice', 'owner');
  const eve = await invite(service, owner, 'Eve', 'owner');
  const link = await eve.call('POST', `${api}/people/${alice.id}/links`);
  if (link.status !== 201) failed(`a link: ${link.status}`);
  const ended =
    end === 'remove'
      ? await owner('DELETE', `${api}/people/${eve.id}`)
      : await owner('PUT', `${api}/people/${eve.id}`, { role: 'reader' });
  if (ended.status !== 204) failed(`${end}: ${ended.status}`);
  const back = await open(link.body.url);
  if (back !== null) {
    const read = await back('GET', `${api}/tree`);
    const made = await back('POST', `${api}/tokens`, { name: 'back', scope: 'write' });
    seen.push(
      `${end}${end === 'demote' ? 'd to reader' : 'd'}: reads (${read.status}), creates a token (${made.status})`,
    );
  }
}
if (seen.length > 0)
  broken(`an owner who made a link for another owner, was ${seen.join('; ')} under the name of that owner`);
held();
