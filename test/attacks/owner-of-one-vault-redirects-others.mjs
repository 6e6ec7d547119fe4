// Access to one vault of a server opens nothing of another: an invited owner of one vault chooses neither where the words of the other vaults are sent, nor what is hidden in them.
// Limit: 120 s
import { mkdirSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import {
  broken,
  browser,
  failed,
  held,
  openLink,
  ownerBrowser,
  serve,
  sleep,
  start,
  world,
} from './lib/world.mjs';

/** The model of the attacker, which answers whatever it is sent. */
const seen = [];
const choice = { index: 0, message: { role: 'assistant', content: 'ok' }, finish_reason: 'stop' };
const answer = {
  id: 'x',
  object: 'chat.completion',
  created: 1,
  model: 'gpt',
  choices: [choice],
  usage: { prompt_tokens: 1, completion_tokens: 1, total_tokens: 2 },
};
const server = createServer((request, response) => {
  let body = '';
  request.on('data', (part) => (body += part));
  request.on('end', () => {
    seen.push({ key: request.headers.authorization ?? '', body });
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
  });
});
await new Promise((done) => server.listen(0, '127.0.0.1', done));

const folder = join(world, 'vaults');
mkdirSync(folder);
for (const name of ['family', 'work']) {
  const init = start(['init', join(folder, name)], { stdio: 'ignore' });
  if ((await new Promise((done) => init.on('exit', done))) !== 0) failed('no vault was created');
}
writeFileSync(join(folder, 'work/bucket/salary.md'), '# Salary\n\nThe salary of Anna is CANARY.\n');
const service = await serve({ OPENAI_API_KEY: 'sk-CANARYKEY-of-the-machine-0000000' }, ['--vaults', folder]);
await sleep(500);
const operator = await ownerBrowser(service);
const signIn = async (name) => {
  const made = await operator('POST', `/api/vaults/${name}/links`);
  if (made.status !== 201) failed(`a link for ${name}: ${made.status}`);
  return browser(service, await openLink(service, made.body.url));
};
const [family, work] = [await signIn('family'), await signIn('work')];
const baseOf = (name) => `/v/${name}/api/vaults/default`;
const hidden = await work('PUT', `${baseOf('work')}/exclusions`, { patterns: ['bucket/salary.md'] });
if (hidden.status !== 200) failed(`hiding a note: ${hidden.status}`);
const invited = await family('POST', `${baseOf('family')}/people`, { name: 'Mallory', role: 'owner' });
if (invited.status !== 201) failed(`inviting: ${invited.status}`);
const mallory = browser(service, await openLink(service, invited.body.url));

const url = `http://127.0.0.1:${server.address().port}/v1`;
const shown = await mallory('PUT', `${baseOf('family')}/exclusions`, { patterns: [] });
const set = await mallory('PUT', `${baseOf('family')}/model`, { name: 'openai/gpt-5', url });
// The owner of the other vault asks a question.
await work('POST', `${baseOf('work')}/answers`, { question: 'What is the salary of Anna?' });
for (let i = 0; i < 25 && !seen.some(({ body }) => body.includes('salary')); i++) await sleep(200);
if (seen.some(({ body }) => body.includes('salary of Anna')))
  broken('a question to the vault «work» was sent to the address that an invited owner of «family» chose');
if (seen.some(({ key }) => key.includes('CANARY'))) broken('the key of the machine was sent to that address');
const after = await work('GET', `${baseOf('work')}/exclusions`);
if (after.body.patterns?.length !== 1) broken('an invited owner of «family» showed a note of «work» to AI');
if (set.status !== 403 || shown.status !== 403) failed(`answered with ${set.status} and ${shown.status}`);
held();
