// node test/windows/main.ts smoke | executable <file> [<older file>] | acceptance [<option>…] | units [<path>…]: tests Keepsake on
// Windows, which is Wine unless this is Windows itself. Prints why it is skipped where there is neither. The options of
// acceptance are those of test/acceptance/run.mjs, for example `--only write,tree`.
import { copyFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installedProgram, openForTests, openInstalled } from './open-installed.ts';
import type { Ended, Windows } from './wine.ts';

const [mode = '', ...args] = process.argv.slice(2);
const smoke = 'test/windows/smoke.ts';

const modes: Record<
  string,
  { open: () => Windows | { reason: string }; run: (windows: Windows) => Promise<Ended> }
> = {
  smoke: {
    open: openInstalled,
    run: ({ node, path }) => node([path(smoke), path(installedProgram)]),
  },
  executable: {
    open: openInstalled,
    run({ node, path, folder }) {
      const names = args.map((_, index) => `keepsake-${index}.exe`);
      names.forEach((name, index) => copyFileSync(resolve(args[index] ?? ''), join(folder, name)));
      return node([path(smoke), ...names.map(path)]);
    },
  },
  acceptance: {
    open: openInstalled,
    run: ({ node, path }) =>
      node([
        path('test/acceptance/run.mjs'),
        '-v',
        '--at-once',
        '2',
        ...args,
        process.platform === 'win32' ? process.execPath : path('node.exe'),
        path(installedProgram),
      ]),
  },
  units: {
    open: openForTests,
    run({ node, path }) {
      const chosen = args.length === 0 ? ['packages/vault/src/vault', 'packages/vault/src/changes'] : args;
      return node([path('repository/test/windows/run-vitest.mjs'), ...chosen], { repository: resolve('.') });
    },
  },
};

const chosen = modes[mode];
if (chosen === undefined) {
  console.error(`usage: node test/windows/main.ts ${Object.keys(modes).join(' | ')}`);
  process.exitCode = 2;
} else {
  const windows = chosen.open();
  if ('reason' in windows) console.log(`Windows: skipped, because ${windows.reason}\n0 passed, 0 failed`);
  else {
    try {
      const { code, stdout, stderr } = await chosen.run(windows);
      console.log(`${stderr}${stdout}`.trimEnd());
      process.exitCode = code ?? 1;
    } finally {
      windows.remove();
    }
  }
}
