// npm run faults -- <campaign> [number]: breaks a writing Keepsake in every way there is and looks at what is left.
import { agentsCampaign } from './agents.ts';
import { errorsCampaign } from './errors.ts';
import { importCampaign } from './import.ts';
import { killCampaign } from './kill.ts';
import { longInputCampaign } from './long-input.ts';
import { powerCampaign } from './power.ts';
import { queueCampaign } from './queue.ts';
import { racesCampaign } from './races.ts';
import { serviceCampaign } from './service.ts';
import { weakModelsCampaign } from './weak-models.ts';

/** Each takes how often to try, or how much, and tells how much went wrong. */
const campaigns: Record<string, { run: (count: number, kills?: number) => Promise<number>; full: number }> = {
  kill: { run: killCampaign, full: 1_000 },
  power: { run: powerCampaign, full: 300 },
  errors: { run: errorsCampaign, full: 400 },
  races: { run: racesCampaign, full: 2_000 },
  queue: { run: queueCampaign, full: 10_000 },
  service: { run: serviceCampaign, full: 5_000 },
  agents: { run: agentsCampaign, full: 300 },
  import: { run: importCampaign, full: 5_000 },
  long: { run: longInputCampaign, full: 1_000 },
  weak: { run: weakModelsCampaign, full: 1_000 },
};

const [name = '', count, kills] = process.argv.slice(2);
const campaign = campaigns[name];
if (campaign === undefined) {
  console.error(`usage: npm run faults -- <${Object.keys(campaigns).join(' | ')}> [number of tries]`);
  process.exitCode = 2;
} else {
  const failures = await campaign.run(
    count === undefined ? campaign.full : Number(count),
    kills === undefined ? undefined : Number(kills),
  );
  console.log(failures === 0 ? `${name}: all held` : `${name}: ${failures} FAILED`);
  process.exitCode = failures === 0 ? 0 : 1;
}
