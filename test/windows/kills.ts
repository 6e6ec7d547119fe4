// node kills.ts <program> <kills>: ends a process that edits a note at random moments. Runs in Wine.
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { startMcp } from './mcp-client.ts';
import { createPlace } from './place.ts';

const [program = '', kills] = process.argv.slice(2);
const place = createPlace([process.execPath, program]);
const folder = join(place.vault, 'bucket');
const file = join(folder, 'count.md');
const filler = 'A line of the note.\n'.repeat(2_000);
/** What the note counts, or -1 if it is not complete. */
const counted = (): number => {
  const text = existsSync(file) ? readFileSync(file, 'utf8') : '';
  return text.endsWith(filler) ? Number(/^count (\d+)$/m.exec(text)?.[1] ?? -1) : -1;
};
const hidden = (): number => readdirSync(folder).filter((name) => name.startsWith('.')).length;

place.run(['init', place.vault]);
place.run(['write', 'bucket/count.md'], `count 0\n${filler}`);
const outcomes = { acknowledged: 0, whileChanging: 0, completedAfterwards: 0 };
let failures = 0;
let acknowledged = 0;
for (let kill = 1; kill <= Number(kills); kill += 1) {
  const mcp = await startMcp([...place.command, 'mcp'], place.variables);
  // The first edit waits until everything is loaded, so that the kill meets an edit.
  const edit = async (): Promise<void> => {
    const [before, after] = [`count ${acknowledged}\n`, `count ${acknowledged + 1}\n`];
    await mcp.call('vault_edit', { path: 'bucket/count.md', old: before, new: after });
    acknowledged += 1;
    outcomes.acknowledged += 1;
  };
  await mcp.call('vault_read', { paths: ['bucket/count.md'] });
  await edit();
  const edits = (async () => {
    for (;;) await edit();
  })().catch((error: Error) => error);
  await new Promise((later) => setTimeout(later, Math.random() * 400));
  await mcp.kill();
  const ended = await edits;
  if (!ended.message.startsWith('tools/call: null')) {
    failures += 1;
    console.log(`FAILED kill ${kill}: ${ended.message}`);
  }
  if (!existsSync(file) || hidden() > 0) outcomes.whileChanging += 1;
  const { code, said } = place.attempt(['read', 'bucket/count.md', '--head', '8']);
  const found = counted();
  if (found === acknowledged + 1) {
    outcomes.completedAfterwards += 1;
    acknowledged = found;
  }
  if (code !== 0 || found !== acknowledged || hidden() > 0) {
    failures += 1;
    console.log(
      `FAILED kill ${kill}: exit ${String(code)}, count ${found} of ${acknowledged}, ${hidden()} hidden files: ${said.slice(0, 500)}`,
    );
    acknowledged = Math.max(found, 0);
  }
}
console.log(`kills: ${kills}, ${JSON.stringify(outcomes)}, ${failures} failed`);
process.exit(failures === 0 ? 0 : 1);
