// The worst that native code could do in the converter process. Node's permissions do not restrict native code, so this runs without them.
import { execFileSync } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { connect } from 'node:net';

const connected = (port, host) =>
  new Promise((resolve, reject) => connect(port, host, resolve).on('error', reject));
async function attack({ file, folder, port, secretOf }) {
  const attempts = {
    readsFile: () => readFileSync(file),
    listsFolder: () => readdirSync(folder),
    writesFolder: () => writeFileSync(`${folder}/written`, ''),
    writesProgram: () => writeFileSync(new URL('escaped', import.meta.url), ''),
    readsPasswords: () => readFileSync('/etc/passwd'),
    readsEnvironment: () => readFileSync(`/proc/${secretOf}/environ`),
    runs: () => execFileSync('/bin/sh', ['-c', 'true']),
    connectsHere: () => connected(port, '127.0.0.1'),
    connectsElsewhere: () => connected(53, '192.0.2.1'),
    signals: () => process.kill(secretOf, 0),
  };
  const results = {};
  for (const [name, attempt] of Object.entries(attempts))
    results[name] = await Promise.resolve()
      .then(attempt)
      .then(
        () => 'done',
        (error) => error.code ?? error.message,
      );
  process.send({ ...results, environment: Object.keys(process.env) });
}
process.once('message', (given) => void attack(given));
process.send('ready');
