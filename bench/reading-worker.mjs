// Measures in a separate process with the built package, as a user runs it, without the memory and time of the
// bench itself.
import { openKeepsake, readEnvironment } from '../packages/vault/dist/app/index.js';
import { tools } from '../packages/vault/dist/tools/index.js';

const [job = '', vault = '', state = ''] = process.argv.slice(2);
const start = performance.now();
const keepsake = await openKeepsake({ vault, state, environment: readEnvironment() });

async function call(name, input, reader = 'model') {
  const outcome = await tools.find((tool) => tool.name === name).call(input, keepsake.readRun(reader));
  if (outcome.kind !== 'result' || outcome.result.value.errors.length > 0) {
    throw new Error(`${name} failed: ${JSON.stringify(outcome)}`);
  }
}

async function timed(work) {
  const begin = performance.now();
  await work();
  return performance.now() - begin;
}

async function medianOf50(work) {
  const times = [];
  for (let run = 0; run < 50; run += 1) times.push(await timed(work));
  return times.toSorted((a, b) => a - b)[25];
}

const memory = () => process.resourceUsage().maxRSS / 1000;

async function reading() {
  const first = await timed(() => call('read', { paths: 'huge.md', tail: 500 }));
  const head = await medianOf50(() => call('read', { paths: 'huge.md', head: 500 }));
  const tail = await medianOf50(() => call('read', { paths: 'huge.md', tail: 500 }));
  return { first, head, tail, memory: memory() };
}

async function starting() {
  await keepsake.catalogue.contents();
  const started = performance.now() - start;
  const tree = await timed(() => call('tree', {}, 'person'));
  const boundedTree = await timed(() => call('tree', {}));
  return { start: started, tree, boundedTree, memory: memory() };
}

console.log(JSON.stringify(job === 'reading' ? await reading() : await starting()));
await keepsake.close();
