// npm run campaign -- <name> [number]: interrupts, breaks or races a running Keepsake many times and checks the result.
import { campaigns } from './campaigns.ts';

// Runs the exit handlers, which end what a campaign has started.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(130));

const [name = '', count, kills] = process.argv.slice(2);
const campaign = campaigns[name];
if (campaign === undefined) {
  console.error(
    `usage: npm run campaign -- <${Object.keys(campaigns).join(' | ')}> [number of tries | sample]`,
  );
  process.exitCode = 2;
} else {
  const run = await campaign.load();
  const failures = await (count === 'sample'
    ? run(...campaign.sample)
    : run(Number(count ?? campaign.full), kills === undefined ? undefined : Number(kills)));
  console.log(failures === 0 ? `${name}: passed` : `${name}: ${failures} FAILED`);
  process.exitCode = failures === 0 ? 0 : 1;
}
