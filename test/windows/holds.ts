// node holds.ts <program> <holds>: changes notes while another program has one of them open in each possible way. Runs in Wine.
import { spawn } from 'node:child_process';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startMcp } from './mcp-client.ts';
import { createPlace } from './place.ts';

const [program = '', holds] = process.argv.slice(2);
const place = createPlace([process.execPath, program]);
const folder = join(place.vault, 'bucket');
const read = (name: string): string | null =>
  existsSync(join(folder, name)) ? readFileSync(join(folder, name), 'utf8') : null;

/** Whether a file of the vault contains the words: they may be where a note was moved to, or in a question to the user. */
const isAnywhere = (words: string): boolean =>
  readdirSync(place.vault, { recursive: true, withFileTypes: true }).some((each) => {
    try {
      return each.isFile() && readFileSync(join(each.parentPath, each.name), 'utf8').includes(words);
    } catch {
      // It was moved or removed meanwhile.
      return false;
    }
  });

/** Waits for the next inspection of replaced files, which a busy machine delays by up to half a minute. */
async function appears(words: string): Promise<boolean> {
  for (const began = performance.now(); performance.now() - began < 60_000; await sleep(200))
    if (isAnywhere(words)) return true;
  return false;
}

type Holder = { write(line: string): Promise<string>; release(): Promise<void> };

/** Opens a note in another process, and again while Keepsake still has it open. */
async function hold(name: string, access: string, sharing: number): Promise<Holder> {
  for (let tries = 0; tries < 20; tries += 1) {
    const holder = await open(name, access, sharing);
    if (holder !== null) return holder;
  }
  throw new Error(`${name} was not opened`);
}

async function open(name: string, access: string, sharing: number): Promise<Holder | null> {
  const args = [join(import.meta.dirname, 'hold-file.ts'), program, join(folder, name), access, `${sharing}`];
  const child = spawn(process.execPath, args, { stdio: ['pipe', 'pipe', 'inherit'] });
  const lines = createInterface({ input: child.stdout })[Symbol.asyncIterator]();
  const ended = new Promise<unknown>((resolve) => void child.once('exit', resolve));
  const next = async (): Promise<string> => String((await lines.next()).value);
  if ((await next()) !== 'held') {
    child.stdin.end();
    await ended;
    return null;
  }
  return {
    write(line) {
      child.stdin.write(`${line}\n`);
      return next();
    },
    async release() {
      child.stdin.end();
      await ended;
    },
  };
}

/** Every way to open a file: to read or to write, and what other programs may do meanwhile. */
const ways = ['read', 'write'].flatMap((access) =>
  [0, 1, 2, 3, 4, 5, 6, 7].map((sharing) => ({ access, sharing })),
);
const actions = ['edit', 'write', 'delete', 'move'] as const;

place.run(['init', place.vault]);
let mcp = await startMcp([...place.command, 'mcp'], place.variables);
const outcomes = { changed: 0, refused: 0, lateWords: 0 };
const problems: string[] = [];
const attempt = async (name: string, input: object): Promise<string | null> => {
  try {
    await mcp.call(name, input);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};
for (let index = 0; index < Number(holds); index += 1) {
  const way = ways[index % ways.length] as (typeof ways)[number];
  // Another action in each round through the ways.
  const action = actions[
    (index + Math.floor(index / ways.length)) % actions.length
  ] as (typeof actions)[number];
  const [name, moved] = [`held-${index}.md`, `moved-${index}.md`];
  const path = `bucket/${name}`;
  const complain = (problem: string): void =>
    void problems.push(`${action} with ${way.access} and share mode ${way.sharing}: ${problem}`);
  await attempt('vault_write', { path, content: 'Before.\n' });
  const before = read(name) ?? '';
  await attempt('vault_read', { paths: [path] });
  const holder = await hold(name, way.access, way.sharing);
  // The other notes are not affected.
  for (const [tool, input] of [
    ['vault_tree', {}],
    ['vault_write', { path: `bucket/free-${index}.md`, content: 'Free.\n' }],
  ] as const) {
    const problem = await attempt(tool, input);
    if (problem !== null) complain(`${tool} failed: ${problem}`);
  }
  const refused = await {
    edit: () => attempt('vault_edit', { path, old: 'Before.', new: 'After.' }),
    write: () => attempt('vault_write', { path, content: 'After.\n' }),
    delete: () => attempt('vault_delete', { path }),
    move: () => attempt('vault_move', { from: path, to: `bucket/${moved}` }),
  }[action]();
  outcomes[refused === null ? 'changed' : 'refused'] += 1;
  // An editor that saves to the file that it has open.
  const isWriter = way.access === 'write';
  const isWritten = isWriter && (await holder.write(`Late words ${index}.`)) === 'written';
  await holder.release();
  if (index % 5 === 4) {
    // The next process finds everything, too.
    await mcp.close();
    mcp = await startMcp([...place.command, 'mcp'], place.variables);
  }
  await attempt('vault_tree', {});
  place.run(['tree']);
  const [now, elsewhere] = [read(name), read(moved)];
  const text = (now ?? '') + (elsewhere ?? '');
  if (refused !== null && (now === null || !text.includes('Before.')))
    complain(`refused, and ${text || 'missing'}`);
  if (refused === null && action !== 'delete') {
    const expected = action === 'move' ? 'Before.' : 'After.';
    if (!text.includes(expected)) complain(`acknowledged, and ${text || 'missing'}`);
  }
  if (refused !== null && !/open|another program|busy/i.test(refused)) complain(`says: ${refused}`);
  if (isWritten && action !== 'delete') {
    if (await appears(`Late words ${index}.`)) outcomes.lateWords += 1;
    else complain(`late words are lost: ${text}`);
  }
  if (before === '') complain('the note was not written');
}
await mcp.close();
const hidden = readdirSync(folder).filter((name) => name.startsWith('.'));
if (hidden.length > 0) problems.push(`hidden files: ${hidden.join(', ')}`);
const { code, said } = place.attempt(['doctor']);
if (code !== 0) problems.push(`doctor: ${said}`);
for (const problem of problems) console.log(`FAILED ${problem}`);
console.log(`holds: ${holds}, ${JSON.stringify(outcomes)}, ${problems.length} failed`);
process.exit(problems.length === 0 ? 0 : 1);
