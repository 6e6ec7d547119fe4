/** Takes the number of attempts or the amount of work. Returns the number of failures. */
type RunCampaign = (count: number, kills?: number) => Promise<number>;

type Campaign = {
  load: () => Promise<RunCampaign>;
  /** The size for `npm run campaign`. */
  full: number;
  /** The size for `.ci/run` and `npm run nightly`. */
  sample: [count: number, kills?: number];
};

/** Loaded on demand: loading all of them takes five seconds, mostly for libraries that only one of them uses. */
export const campaigns: Record<string, Campaign> = {
  kill: { load: async () => (await import('./kill.ts')).killCampaign, full: 3_000, sample: [12] },
  power: { load: async () => (await import('./power.ts')).powerCampaign, full: 2_000, sample: [4] },
  errors: { load: async () => (await import('./errors.ts')).errorsCampaign, full: 1_000, sample: [8] },
  races: { load: async () => (await import('./races.ts')).racesCampaign, full: 5_000, sample: [400] },
  queue: { load: async () => (await import('./queue.ts')).queueCampaign, full: 10_000, sample: [1_000] },
  saves: { load: async () => (await import('./saves.ts')).savesCampaign, full: 1_000, sample: [60] },
  service: { load: async () => (await import('./service.ts')).serviceCampaign, full: 5_000, sample: [300] },
  agents: { load: async () => (await import('./agents.ts')).agentsCampaign, full: 500, sample: [6] },
  filesystems: {
    load: async () => (await import('./filesystems.ts')).filesystemsCampaign,
    full: 300,
    sample: [12],
  },
  clock: { load: async () => (await import('./clock.ts')).clockCampaign, full: 500, sample: [10] },
  cluster: {
    load: async () => (await import('./cluster/cluster.ts')).clusterCampaign,
    full: 100,
    sample: [1],
  },
  import: { load: async () => (await import('./import.ts')).importCampaign, full: 5_000, sample: [300] },
  long: {
    load: async () => (await import('./long-input.ts')).longInputCampaign,
    full: 1_000,
    sample: [60, 2],
  },
  day: { load: async () => (await import('./day.ts')).dayCampaign, full: 24, sample: [1] },
  words: { load: async () => (await import('./words.ts')).wordsCampaign, full: 10_000, sample: [300] },
  writers: { load: async () => (await import('./writers.ts')).writersCampaign, full: 500, sample: [12] },
  doors: { load: async () => (await import('./doors.ts')).doorsCampaign, full: 100, sample: [2] },
  idle: { load: async () => (await import('./idle.ts')).idleCampaign, full: 4_000, sample: [500] },
  paths: { load: async () => (await import('./paths.ts')).pathsCampaign, full: 100_000, sample: [20_000] },
  obey: { load: async () => (await import('./obey.ts')).obeyCampaign, full: 500, sample: [22] },
  undo: { load: async () => (await import('./undo.ts')).undoCampaign, full: 1_000, sample: [40] },
  history: { load: async () => (await import('./history.ts')).historyCampaign, full: 220, sample: [11] },
  backup: { load: async () => (await import('./backup.ts')).backupCampaign, full: 10, sample: [1] },
  weak: {
    load: async () => (await import('./weak-models.ts')).weakModelsCampaign,
    full: 1_000,
    sample: [25],
  },
  forget: { load: async () => (await import('./forget.ts')).forgetCampaign, full: 200, sample: [12, 1] },
  machines: {
    load: async () => (await import('./forget-machines.ts')).forgetMachinesCampaign,
    full: 20,
    sample: [1],
  },
  heavy: { load: async () => (await import('./heavy.ts')).heavyCampaign, full: 5, sample: [1] },
  diffs: { load: async () => (await import('./diffs.ts')).diffsCampaign, full: 10, sample: [1] },
  links: { load: async () => (await import('./links.ts')).linksCampaign, full: 200, sample: [20] },
  outside: { load: async () => (await import('./outside.ts')).outsideCampaign, full: 500, sample: [20] },
  syncthing: {
    load: async () => (await import('./syncthing.ts')).syncthingCampaign,
    full: 10,
    sample: [1, 40],
  },
  gitsync: { load: async () => (await import('./gitsync.ts')).gitsyncCampaign, full: 10, sample: [1] },
  folders: {
    load: async () => (await import('./lost-folders.ts')).lostFoldersCampaign,
    full: 200,
    sample: [3],
  },
  hooks: { load: async () => (await import('./hooks.ts')).hooksCampaign, full: 2_000, sample: [40] },
  sessions: {
    load: async () => (await import('./sessions.ts')).sessionsCampaign,
    full: 2_000,
    sample: [60, 1],
  },
  strangers: {
    load: async () => (await import('./strangers.ts')).strangersCampaign,
    full: 10_000,
    sample: [2_400],
  },
  windows: {
    load: async () => (await import('./windows.ts')).windowsCampaign,
    full: 100,
    sample: [10, 16],
  },
  browser: { load: async () => (await import('./browser.ts')).browserCampaign, full: 20, sample: [1, 2] },
  workday: { load: async () => (await import('./workday.ts')).workdayCampaign, full: 30, sample: [1] },
};
