// A hook removes secrets before anything is written, in the forms in which they are pasted into sessions.
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { callHook, recordSessions } from './lib/sessions.mjs';
import { broken, failed, held, newVault, readState, sleep, world } from './lib/world.mjs';

await newVault();
recordSessions();
const folder = join(world, 'code');
mkdirSync(folder);
// Assembled here, so that no scanner takes this file for a leak.
const awsKeys = [
  ['wJalrXUtnFEMI', 'K7MDENG', 'bPxRfiCYzq83ZkEy1Q'].join('/'),
  ['je7MtGbClwBF', '2Zp9Utk', 'h3yCo8nvbEXAMPLEKEY'].join('/'),
];
const shapes = {
  'AWS_SECRET_ACCESS_KEY=': [`AWS_SECRET_ACCESS_KEY=${awsKeys[0]}`, 'wJalrXUtnFEMI'],
  'a credentials file of AWS': [`aws_secret_access_key = ${awsKeys[1]}`, 'je7MtGbClwBF'],
  'MY_APP_DB_PASSWORD=': ['MY_APP_DB_PASSWORD=Tr0ub4dor9xq', 'Tr0ub4dor9xq'],
  'SPRING_DATASOURCE_PASSWORD=': ['export SPRING_DATASOURCE_PASSWORD=Sp4ringPw77z', 'Sp4ringPw77z'],
  'REACT_APP_API_KEY=': ['REACT_APP_API_KEY=ab12cd34ef56gh', 'ab12cd34ef56gh'],
  'a password in JSON': ['{"app_db_password": "J5onPassw0rd"}', 'J5onPassw0rd'],
  'a password with @ in a URL': ['postgres://admin:p@ssw0rd9zz@db.example.org/app', 'ssw0rd9zz'],
  'a quoted password that begins with $': ['password="$ecr3tPass99"', 'ecr3tPass99'],
  'bearer in lower case': ['authorization: bearer abcdef1234567890abcd', 'abcdef1234567890abcd'],
};
const control = ['DB_PASSWORD=Contr0lPassw0rd', 'Contr0lPassw0rd'];
const lines = [control, ...Object.values(shapes)].map(([line]) => line);
const prompt = `Please deploy it with these.\n${lines.join('\n')}\n`;
await callHook('prompt', { session_id: 's1', cwd: folder, prompt, prompt_id: 'p1' });
await sleep(200);
const written = readState();
if (!written.includes('Please deploy')) failed('the hook recorded nothing');
if (written.includes(control[1])) failed('not even DB_PASSWORD= is removed');
const kept = Object.entries(shapes).filter(([, [, secret]]) => written.includes(secret));
if (kept.length > 0)
  broken(
    `${kept.length} of ${Object.keys(shapes).length} secrets are on disk: ${kept.map(([name]) => name).join(', ')}`,
  );
held();
