// Writes numbered entries into two files, both in each transaction, and prints each acknowledged number. It continues where an earlier
// process stopped.
import { openKeepsake, readEnvironment } from '../../packages/vault/dist/app/index.js';
import { tools } from '../../packages/vault/dist/tools/index.js';

const [vault, state, first] = process.argv.slice(2);
const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });
const call = (name, input, run) => tools.find((tool) => tool.name === name).call(input, run);

for (let number = Number(first); ; number += 1) {
  const run = keepsake.writeRun('model');
  for (const path of ['log.md', 'twin.md']) {
    const content = `entry ${number} `;
    if (number === 1) await call('write', { path, content: `${content}\n` }, run);
    else await call('append', { path, content, position: 'bottom' }, run);
  }
  const written = await run.transaction.commit({ origin: 'campaign', summary: `entry ${number}` });
  if (written.kind !== 'written') throw new Error(JSON.stringify(written));
  process.stdout.write(`${number}\n`);
}
