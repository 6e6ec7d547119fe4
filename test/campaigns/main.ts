// npm run campaign -- <campaign> [number]: breaks a writing Keepsake in every way there is and looks at what is left.
import { agentsCampaign } from './agents.ts';
import { backupCampaign } from './backup.ts';
import { browserCampaign } from './browser.ts';
import { clockCampaign } from './clock.ts';
import { clusterCampaign } from './cluster/cluster.ts';
import { dayCampaign } from './day.ts';
import { diffsCampaign } from './diffs.ts';
import { doorsCampaign } from './doors.ts';
import { errorsCampaign } from './errors.ts';
import { filesystemsCampaign } from './filesystems.ts';
import { gitsyncCampaign } from './gitsync.ts';
import { historyCampaign } from './history.ts';
import { hooksCampaign } from './hooks.ts';
import { idleCampaign } from './idle.ts';
import { importCampaign } from './import.ts';
import { killCampaign } from './kill.ts';
import { linksCampaign } from './links.ts';
import { longInputCampaign } from './long-input.ts';
import { lostFoldersCampaign } from './lost-folders.ts';
import { obeyCampaign } from './obey.ts';
import { outsideCampaign } from './outside.ts';
import { pathsCampaign } from './paths.ts';
import { powerCampaign } from './power.ts';
import { queueCampaign } from './queue.ts';
import { racesCampaign } from './races.ts';
import { savesCampaign } from './saves.ts';
import { serviceCampaign } from './service.ts';
import { syncthingCampaign } from './syncthing.ts';
import { undoCampaign } from './undo.ts';
import { weakModelsCampaign } from './weak-models.ts';
import { wordsCampaign } from './words.ts';
import { writersCampaign } from './writers.ts';

/** Each takes how often to try, or how much, and tells how much went wrong. */
const campaigns: Record<string, { run: (count: number, kills?: number) => Promise<number>; full: number }> = {
  kill: { run: killCampaign, full: 3_000 },
  power: { run: powerCampaign, full: 2_000 },
  errors: { run: errorsCampaign, full: 1_000 },
  races: { run: racesCampaign, full: 5_000 },
  queue: { run: queueCampaign, full: 10_000 },
  saves: { run: savesCampaign, full: 1_000 },
  service: { run: serviceCampaign, full: 5_000 },
  agents: { run: agentsCampaign, full: 500 },
  filesystems: { run: filesystemsCampaign, full: 300 },
  clock: { run: clockCampaign, full: 500 },
  cluster: { run: clusterCampaign, full: 100 },
  import: { run: importCampaign, full: 5_000 },
  long: { run: longInputCampaign, full: 1_000 },
  day: { run: dayCampaign, full: 24 },
  words: { run: wordsCampaign, full: 10_000 },
  writers: { run: writersCampaign, full: 500 },
  doors: { run: doorsCampaign, full: 100 },
  idle: { run: idleCampaign, full: 4_000 },
  paths: { run: pathsCampaign, full: 100_000 },
  obey: { run: obeyCampaign, full: 500 },
  undo: { run: undoCampaign, full: 1_000 },
  history: { run: historyCampaign, full: 220 },
  backup: { run: backupCampaign, full: 10 },
  weak: { run: weakModelsCampaign, full: 1_000 },
  diffs: { run: diffsCampaign, full: 10 },
  links: { run: linksCampaign, full: 200 },
  outside: { run: outsideCampaign, full: 500 },
  syncthing: { run: syncthingCampaign, full: 10 },
  gitsync: { run: gitsyncCampaign, full: 10 },
  folders: { run: lostFoldersCampaign, full: 200 },
  hooks: { run: hooksCampaign, full: 2_000 },
  browser: { run: browserCampaign, full: 20 },
};

const [name = '', count, kills] = process.argv.slice(2);
const campaign = campaigns[name];
if (campaign === undefined) {
  console.error(`usage: npm run campaign -- <${Object.keys(campaigns).join(' | ')}> [number of tries]`);
  process.exitCode = 2;
} else {
  const failures = await campaign.run(
    count === undefined ? campaign.full : Number(count),
    kills === undefined ? undefined : Number(kills),
  );
  console.log(failures === 0 ? `${name}: all held` : `${name}: ${failures} FAILED`);
  process.exitCode = failures === 0 ? 0 : 1;
}
