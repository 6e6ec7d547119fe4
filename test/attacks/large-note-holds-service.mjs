// Scans of any text take bounded time, and other requests are answered meanwhile: also while a program saves a note of the largest allowed size.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { broken, failed, held, newToken, newVault, serve, sleep, vault } from './lib/world.mjs';

await newVault();
const token = await newToken('write');
const service = await serve();
let worst = 0;
const over = new AbortController();
const polling = (async () => {
  while (!over.signal.aborted) {
    const began = performance.now();
    await fetch(`${service.url}/api/health`, { signal: AbortSignal.timeout(60_000) }).then(
      (r) => r.text(),
      () => undefined,
    );
    worst = Math.max(worst, performance.now() - began);
    await sleep(20);
  }
})();
const seen = {};
const step = async (name, work) => {
  worst = 0;
  const status = await work();
  await sleep(1_500);
  seen[name] = { status, worst: Math.round(worst) };
  if (worst > 2_000)
    broken(
      `the service answers no one for ${(worst / 1_000).toFixed(1)} s; so far: ${Object.entries(seen)
        .map(
          ([each, { status: answer, worst: longest }]) =>
            `${each}: ${answer ?? ''} ${(longest / 1_000).toFixed(1)} s`,
        )
        .join(', ')}`,
    );
};
const put = (text, headers) =>
  fetch(`${service.url}/api/vaults/default/files/bucket/ledger.md`, {
    method: 'PUT',
    headers: { authorization: `Bearer ${token}`, 'content-type': 'text/markdown', ...headers },
    body: text,
    signal: AbortSignal.timeout(60_000),
  }).then(
    async (r) => (await r.text(), r.status),
    (e) => e.name,
  );
const lines = Array.from(
  { length: 360_000 },
  (_, i) => `line ${i} of the ledger, amount ${(i * 7919) % 10007} EUR`,
);
await step('a note of 360,000 lines', async () => {
  let status;
  // Of the size that is allowed, whatever that is.
  while (
    (status = await put(`${lines.join('\n')}\n`, { 'if-none-match': '*' })) === 413 &&
    lines.length > 1_000
  )
    lines.length >>= 1;
  return status;
});
await step('every second line longer', () =>
  put(`${lines.map((line, i) => (i % 2 ? line : `${line} x`)).join('\n')}\n`, { 'if-match': '*' }),
);
await step('edited by another program', async () => {
  const file = join(vault, 'bucket/ledger.md');
  writeFileSync(
    file,
    readFileSync(file, 'utf8')
      .split('\n')
      .map((line, i) => (i % 3 ? line : `${line} y`))
      .join('\n'),
  );
  await sleep(8_000);
});
over.abort();
await polling;
console.error(seen);
if (seen['a note of 360,000 lines'].status !== 201) failed(JSON.stringify(seen));
held();
