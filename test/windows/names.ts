// node names.ts <program>: names that only Windows treats differently: reserved ones, long ones, other capitals. Runs in Wine.
import { mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { startMcp } from './mcp-client.ts';
import { createPlace } from './place.ts';

const [program = ''] = process.argv.slice(2);
const place = createPlace([process.execPath, program]);
place.run(['init', place.vault]);
const mcp = await startMcp([...place.command, 'mcp'], place.variables);
const problems: string[] = [];
let tried = 0;
const attempt = async (name: string, input: object): Promise<string | null> => {
  tried += 1;
  try {
    await mcp.call(name, input);
    return null;
  } catch (error) {
    return (error as Error).message;
  }
};
const expect = (isRight: boolean, problem: string): void => {
  tried += 1;
  if (!isRight) problems.push(problem);
};

const devices = ['CON', 'PRN', 'AUX', 'NUL', 'COM1', 'LPT9', 'COM¹', 'CONIN$', 'CONOUT$'];
const reserved = [
  ...devices.flatMap((name) => [`bucket/${name}.md`, `bucket/${name.toLowerCase()}.txt.md`, `${name}/a.md`]),
  'bucket/a:b.md',
  'bucket/a.md::$DATA',
  'bucket/question?.md',
  'bucket/star*.md',
  'bucket/quote".md',
  'bucket/pipe|.md',
  'bucket/less<.md',
  'bucket/folder. /a.md',
  'bucket/folder./a.md',
  String.raw`bucket\back.md`,
  String.raw`C:\users\a.md`,
  'C:/users/a.md',
  '//server/share/a.md',
  String.raw`\\?\C:\a.md`,
  '../outside.md',
];
const listFiles = (): string[] => readdirSync(place.vault, { recursive: true, encoding: 'utf8' });
const before = new Set(listFiles());
for (const path of reserved)
  expect((await attempt('vault_write', { path, content: 'x\n' })) !== null, `${path} was written`);
// The list of all files is written in the background.
const left = listFiles().filter((path) => !before.has(path) && path !== 'tree.md');
expect(left.length === 0, `refused names left ${left.join(', ')}`);

if (process.env['WINEPREFIX'] !== undefined)
  console.log('skipped: long paths, because Wine reports no path of an open file beyond 260 characters');
else await tryLongPath();

await attempt('vault_write', { path: 'bucket/note.md', content: 'One.\n' });
for (const [old, changed, path] of [
  ['One.', 'Two.', 'bucket/NOTE.md'],
  ['Two.', 'Three.', 'Bucket/note.md'],
  ['Three.', 'Four.', 'BUCKET/Note.MD'],
]) {
  const problem = await attempt('vault_edit', { path, old, new: changed });
  expect(problem === null, `${path}: ${problem}`);
}
const names = readdirSync(join(place.vault, 'bucket')).filter((name) => name.toLowerCase() === 'note.md');
expect(names.join() === 'note.md', `the note is now ${names.join()}`);
expect(readFileSync(join(place.vault, 'bucket/note.md'), 'utf8').includes('Four.'), 'an edit is missing');
const { changes } = JSON.parse(place.run(['history', 'bucket/note.md', '--json'])) as { changes: object[] };
expect(changes.length === 4, `history has ${changes.length} of 4 changes`);
mkdirSync(join(place.vault, 'private'));
writeFileSync(join(place.vault, 'private/secret.md'), 'The code is 4711.\n');
place.run(['config', 'exclude', 'private/']);
for (const path of ['private/secret.md', 'PRIVATE/secret.md', 'Private/SECRET.md', 'PRIVAT~1/secret.md']) {
  let said = '';
  try {
    said = await mcp.call('vault_read', { paths: [path] });
  } catch (error) {
    said = (error as Error).message;
  }
  expect(!said.includes('4711'), `${path} was shown to a model`);
}
await mcp.close();
for (const problem of problems) console.log(`FAILED ${problem}`);
console.log(`names: ${tried} checks, ${problems.length} failed`);
process.exit(problems.length === 0 ? 0 : 1);

async function tryLongPath(): Promise<void> {
  const long = `bucket/${'a-long-name-of-a-folder/'.repeat(14)}note.md`;
  expect(join(place.vault, long).length > 260, 'the path is too short');
  for (const [tool, input] of [
    ['vault_write', { path: long, content: 'Long.\n' }],
    ['vault_edit', { path: long, old: 'Long.', new: 'Longer.' }],
  ] as const) {
    const problem = await attempt(tool, input);
    expect(problem === null, `${tool} of a long path: ${problem}`);
  }
  expect(place.run(['read', long]).includes('Longer.'), 'a long path cannot be read');
  expect(place.run(['find', 'Longer']).includes('note.md'), 'a long path cannot be found');
}
