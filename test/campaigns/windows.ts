import { installedProgram, openInstalled } from '../windows/open-installed.ts';

/**
 * On Windows or Wine: kills a process while it edits, changes notes that other programs hold open, and uses names that only
 * Windows treats differently. Nothing acknowledged may be lost, and no note may be missing afterwards.
 */
export async function windowsCampaign(kills: number, holds = Math.ceil(kills / 2)): Promise<number> {
  const windows = openInstalled();
  if ('reason' in windows) {
    console.log(`windows: skipped, because ${windows.reason}`);
    return 0;
  }
  const { node, path } = windows;
  let failures = 0;
  try {
    for (const [script, ...args] of [['names'], ['holds', `${holds}`], ['kills', `${kills}`]]) {
      const { code, stdout, stderr } = await node([
        path(`test/windows/${script}.ts`),
        path(installedProgram),
        ...args,
      ]);
      console.log(`${stdout}${stderr}`.trimEnd());
      if (code !== 0) failures += 1;
    }
  } finally {
    windows.remove();
  }
  return failures;
}
