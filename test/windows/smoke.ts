// node smoke.ts [--executable] <program> [<older executable>]: uses Keepsake on Windows as a user and as an AI tool would.
// Runs in Wine, without any packages.
import { spawn, spawnSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { startMcp } from './mcp-client.ts';
import { createPlace } from './place.ts';
import type { Place } from './place.ts';

const [program = '', older] = process.argv.slice(2);
const isExecutable = program.endsWith('.exe');

function expect(isRight: boolean, problem: string): void {
  if (!isRight) throw new Error(problem);
}

function includes(text: string, ...parts: string[]): void {
  for (const part of parts) expect(text.includes(part), `expected ${JSON.stringify(part)} in:\n${text}`);
}

const note = (place: Place, path: string): string => readFileSync(join(place.vault, path), 'utf8');

function changeNotes(place: Place): void {
  const { run, vault } = place;
  includes(run(['init', vault]), 'Created a vault');
  run(['write', 'bucket/boiler.md'], 'The boiler is serviced each October.\n');
  includes(run(['find', 'when is the boiler serviced']), 'vault/bucket/boiler.md');
  run(['edit', 'bucket/boiler.md', '--old', 'October', '--new', 'May']);
  run(['append', 'bucket/boiler.md'], 'It costs 118 euros.\n');
  includes(note(place, 'bucket/boiler.md'), 'each May', '118 euros');
  run(['mv', 'bucket/boiler.md', 'bucket/heating.md']);
  includes(run(['read', 'bucket/heating.md']), '118 euros');
  run(['rm', 'bucket/heating.md']);
  expect(!existsSync(join(vault, 'bucket/heating.md')), 'rm kept the note');
  run(['undo']);
  includes(note(place, 'bucket/heating.md'), '118 euros');
  const { changes } = JSON.parse(run(['history', 'bucket/heating.md', '--json'])) as { changes: object[] };
  expect(changes.length >= 3, `history has ${changes.length} changes`);
  includes(run(['tree']), 'heating.md');
  const report = run(['doctor', '--verbose']);
  expect(!report.includes('no atomic exchange'), report);
}

async function connectTool(place: Place): Promise<void> {
  const mcp = await startMcp([...place.command, 'mcp'], place.variables);
  const tools = await mcp.listTools();
  await mcp.call('vault_write', { path: 'bucket/roof.md', content: 'The roof was repaired in May.\n' });
  await mcp.call('vault_edit', { path: 'bucket/roof.md', old: 'May', new: 'June' });
  includes(await mcp.call('vault_read', { paths: ['bucket/roof.md'] }), 'repaired in June');
  includes(await mcp.call('vault_search', { queries: ['roof'], mode: 'fast' }), 'bucket/roof.md');
  expect((await mcp.close()) === 0, 'the MCP server did not exit with 0');
  console.log(`an MCP client changed a note with ${tools.length} tools`);
}

function importDocuments(place: Place): void {
  const papers = join(place.home, 'papers');
  mkdirSync(papers);
  copyFileSync(join(import.meta.dirname, '..', 'words.pdf'), join(papers, 'words.pdf'));
  writeFileSync(join(papers, 'stock.csv'), 'tool,count\nhammer,3\n');
  writeFileSync(
    join(papers, 'offer.html'),
    '<title>Offer</title><article><h1>Offer</h1><p>An anvil for 90 euros.</p></article>',
  );
  includes(place.run(['import', papers, '--json']), '"documents": 3', '"warnings": []');
  includes(place.run(['find', 'anvil']), 'papers/offer.md');
  expect(note(place, 'bucket/papers/words.md').length > 20, 'the PDF has no text');
}

async function serve(place: Place): Promise<void> {
  const token = place.run(['token', 'create', 'smoke', '--scope', 'write']).split(/\r?\n/)[0] ?? '';
  const [executable = '', ...before] = place.command;
  const child = spawn(executable, [...before, 'serve', '--port', '0'], {
    env: place.variables,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const url = await new Promise<string>((found, fail) => {
      child.once('exit', (code) => fail(new Error(`serve exited with ${String(code)}`)));
      createInterface({ input: child.stdout }).on('line', (line) => {
        const [, address] = /^MCP at (\S+)\/mcp$/.exec(line.trim()) ?? [];
        if (address !== undefined) found(address);
      });
    });
    const page = await fetch(url, { headers: { accept: 'text/html' } });
    includes(await page.text(), '<html');
    const headers = { authorization: `Bearer ${token}` };
    const tree = await fetch(`${url}/api/vaults/default/tree`, { headers });
    expect(tree.status === 200, `the tree: ${tree.status}`);
    includes(await tree.text(), 'heating.md');
    // A command passes its change to the server.
    place.run(['append', 'bucket/heating.md'], 'Checked while served.\n');
    includes(place.run(['read', 'bucket/heating.md']), 'Checked while served.');
  } finally {
    child.kill();
  }
}

function syncMachines(place: Place): void {
  if (spawnSync('git', ['--version']).status !== 0) {
    console.log('skipped: sync, because git for Windows is missing');
    return;
  }
  const remote = join(place.home, 'remote.git');
  const made = spawnSync('git', ['init', '-q', '--bare', remote], { encoding: 'utf8' });
  expect(made.status === 0, made.stderr);
  place.run(['sync', remote]);
  const other = createPlace(place.command);
  mkdirSync(other.vault);
  other.run(['sync', remote]);
  includes(note(other, 'bucket/heating.md'), '118 euros');
  other.run(['append', 'bucket/heating.md'], 'From the other machine.\n');
  other.run(['sync']);
  place.run(['sync']);
  includes(note(place, 'bucket/heating.md'), 'From the other machine.');
}

/** Replaces the older executable by the newer one in the same place, which then undoes a change of the older one. */
function upgrade(): Place {
  const place = createPlace([join(process.env['TEMP'] ?? '', 'keepsake.exe')]);
  const [installed = ''] = place.command;
  copyFileSync(older ?? program, installed);
  place.run(['init', place.vault]);
  place.run(['write', 'bucket/well.md'], 'The well is deep.\n');
  copyFileSync(program, installed);
  includes(place.run(['find', 'deep well']), 'The well is deep.');
  place.run(['undo']);
  expect(!existsSync(join(place.vault, 'bucket/well.md')), 'the change was not undone');
  return place;
}

const steps: [string, (place: Place) => unknown][] = [
  ['init, write, find, edit, append, mv, read, rm, undo, history, tree, doctor', changeNotes],
  ['MCP over standard input', connectTool],
  ['import of PDF, CSV and HTML', importDocuments],
  ['serve', serve],
  ['sync', syncMachines],
];
const place = createPlace(isExecutable ? [program] : [process.execPath, program]);
for (const [name, step] of [
  ...(isExecutable ? [['upgrade from an older executable', upgrade] as const] : []),
  ...steps,
]) {
  const start = performance.now();
  await step(place);
  console.log(`passed in ${((performance.now() - start) / 1000).toFixed(1)} s: ${name}`);
}
console.log('smoke passed');
process.exit();
