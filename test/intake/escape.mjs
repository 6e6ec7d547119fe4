// The worst that a document could make the converter process do.
import { execSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { get } from 'node:https';
import { disableNetwork } from '../../packages/vault/src/intake/disable-network.ts';

disableNetwork();
const attempts = {
  read: () => readFileSync('/etc/passwd'),
  write: () => writeFileSync(new URL('escaped', import.meta.url), ''),
  run: () => execSync('true'),
  ask: () => fetch('http://127.0.0.1:4319'),
  askSafely: () =>
    new Promise((resolve, reject) => get('https://127.0.0.1:4319', resolve).on('error', reject)),
};
const results = {};
for (const [name, attempt] of Object.entries(attempts)) {
  results[name] = await Promise.resolve()
    .then(attempt)
    .then(
      () => 'done',
      (error) => error.code ?? error.cause?.message ?? error.message,
    );
}
process.send({ ...results, environment: Object.keys(process.env) });
