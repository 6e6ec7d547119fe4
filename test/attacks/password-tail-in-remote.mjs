// Secrets in recorded sessions are removed before anything is written: also a password in the address of the repository.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { callHook, recordSessions } from './lib/sessions.mjs';
import { broken, failed, held, newVault, readState, sleep, world } from './lib/world.mjs';

await newVault();
recordSessions();
const urls = {
  'a password with @': 'https://bob:pa55@hunter2tail@git.example.org/team/site.git',
  'a token in the query': 'https://git.example.org/team/site.git?private_token=abcd1234efgh5678ijkl',
  'a plain password': 'https://bob:plainpa55word@git.example.org/team/site.git',
};
const secrets = {
  'a password with @': 'hunter2tail',
  'a token in the query': 'abcd1234efgh5678ijkl',
  'a plain password': 'plainpa55word',
};
for (const [index, url] of Object.values(urls).entries()) {
  const folder = join(world, `code${index}`);
  mkdirSync(join(folder, '.git'), { recursive: true });
  writeFileSync(join(folder, '.git/config'), `[remote "origin"]\n\turl = ${url}\n`);
  await callHook('prompt', {
    session_id: `s${index}`,
    cwd: folder,
    prompt: 'Please deploy it.',
    prompt_id: `p${index}`,
  });
}
await sleep(300);
const written = readState();
if (!written.includes('Please deploy')) failed('the hook recorded nothing');
const kept = Object.entries(secrets)
  .filter(([, secret]) => written.includes(secret))
  .map(([name]) => name);
if (kept.length > 0) broken(`on disk: ${kept.join(', ')}: ${/"remote":"[^"]*"/.exec(written)?.[0]}`);
held();
