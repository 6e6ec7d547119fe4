import { spawnSync } from 'node:child_process';
import { expect, it } from 'vitest';
import { layOut, temporaryFolder } from './temporary-vault.ts';

/** Prints every module that is loaded. */
const tell = `data:text/javascript,${encodeURIComponent(
  `import { registerHooks } from 'node:module';
   registerHooks({ load: (url, context, next) => (process.stderr.write('loaded ' + url + '\\n'), next(url, context)) });`,
)}`;

// By what is installed, and by the file that stands for QMD: ours around them are small.
const models = ['/node-llama-cpp/', '/node_modules/ai/', '/@ai-sdk/'];
const parsers = ['/jsonc-parser/', '/toml-eslint-parser/'];
it.each([
  { command: ['read', 'a.md'], absent: [...models, ...parsers, '/@tobilu/qmd/', '/qmd/vendor.', '/koffi/'] },
  { command: ['tree'], absent: [...models, ...parsers, '/@tobilu/qmd/', '/qmd/vendor.', '/koffi/'] },
  { command: ['find', 'x'], absent: [...models, ...parsers, '/koffi/'] },
])('keepsake $command.0 loads nothing heavy that it does not use', ({ command, absent }) => {
  const vault = temporaryFolder();
  layOut(vault, { 'a.md': '# A\nx\n' });
  const { status, stderr } = spawnSync(
    process.execPath,
    ['--import', tell, 'src/cli/main.ts', ...command, '--vault', vault, '--state', temporaryFolder()],
    { encoding: 'utf8' },
  );
  const loaded = stderr.split('\n').filter((line) => line.startsWith('loaded '));
  expect(status).toBe(0);
  expect(loaded.length).toBeGreaterThan(50);
  expect(loaded.filter((line) => absent.some((part) => line.includes(part)))).toEqual([]);
});
