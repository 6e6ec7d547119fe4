// Every change can be undone, and what cannot waits for an owner: an invited writer does not erase the notes of the owner from files and history.
// Limit: 120 s
import { api, broken, failed, held, invite, newVault, ownerBrowser, serve, text } from './lib/world.mjs';

const files = Object.fromEntries(
  Array.from({ length: 40 }, (_, i) => [
    `bucket/note-${i}.md`,
    `# Note ${i}\n\nThe owner wrote this sentence about subject number ${i}, and no one else.\n`,
  ]),
);
await newVault(files);
const service = await serve();
const owner = await ownerBrowser(service);
const writer = await invite(service, owner, 'Ada', 'writer');
const saved = await writer.call('POST', `${api}/tools/append`, {
  input: { path: 'vault/bucket/note-0.md', content: 'Ada was here.' },
});
if (saved.status !== 200) failed(`the writer does not write: ${saved.status} ${JSON.stringify(saved.body)}`);

const left = () => Object.keys(files).filter((path) => text(path).includes('subject number')).length;
const forget = async (target) => {
  const { body } = await writer.call('POST', `${api}/forget/plan`, target);
  // An owner could have told the code of the plan.
  const plan = await owner('POST', `${api}/forget/plan`, target);
  if (plan.status !== 200) failed(`there is no plan: ${plan.status} ${JSON.stringify(plan.body)}`);
  await writer.call('POST', `${api}/forget`, { target, shown: body?.shown ?? plan.body.shown });
};
for (const path of Object.keys(files)) await forget({ kind: 'path', path: `vault/${path}`, lines: null });
if (left() < 40)
  broken(`a writer erased notes for good in a row: ${left()} of 40 are left, and there is no undo`);
for (let i = 0; i < 40; i++) await forget({ kind: 'words', words: [`about subject number ${i}, and`] });
if (left() < 40)
  broken(`a writer erased words for good: ${left()} of 40 notes are left, and there is no undo`);
held();
