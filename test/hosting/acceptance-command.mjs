// Replaces `keepsake call` for the acceptance cases: forwards the call to the server that acceptance.ts has started.
import { text } from 'node:stream/consumers';

const args = process.argv.slice(2);
const vault = args[args.indexOf('--vault') + 1] ?? '';
const isBatch = args[1] === '--batch';
const calls = isBatch
  ? (await text(process.stdin))
      .split('\n')
      .filter((line) => line !== '')
      .map((line) => JSON.parse(line))
  : [{ tool: args[1] ?? '', input: JSON.parse(args[2] ?? '{}') }];
const response = await fetch(process.env['ACCEPTANCE_DOOR'] ?? '', {
  method: 'POST',
  body: JSON.stringify({ vault, calls }),
});
if (!response.ok) throw new Error(await response.text());
const answers = await response.json();
for (const { isRefused, ok, text: shown } of answers)
  if (isBatch) console.log(JSON.stringify({ ok, text: shown }));
  else if (isRefused) console.error(shown);
  else console.log(shown);
const isRefused = !isBatch && answers[0].isRefused;
process.exitCode = isRefused ? 2 : answers.every(({ ok }) => ok) ? 0 : 1;
