// Compiles src/ to dist/, which then holds nothing else, and bundles QMD into it.
import { spawnSync } from 'node:child_process';
import { chmodSync, copyFileSync, globSync, rmSync } from 'node:fs';
import { rolldown } from 'rolldown';
import { build } from 'vite';

rmSync('dist', { recursive: true, force: true });
const { status } = spawnSync('node_modules/.bin/tsc', ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
if (status === 0) {
  await bundleQmd();
  await build({ configFile: 'vite.config.ts', mode: 'production', logLevel: 'warn' });
  for (const prompt of globSync('src/**/prompt.md')) copyFileSync(prompt, prompt.replace('src', 'dist'));
  chmodSync('dist/cli/main.js', 0o755);
}
process.exitCode = status ?? 1;

/** As a dependency QMD would bring 856 MB, most of it for models; as a bundle it is one file. */
async function bundleQmd(): Promise<void> {
  const bundle = await rolldown({
    input: 'src/search/qmd/vendor.ts',
    platform: 'node',
    // Installed with Keepsake, or never loaded: we run models ourselves and cut no program code.
    external: ['better-sqlite3', 'sqlite-vec', 'node-llama-cpp', 'web-tree-sitter'],
    onLog: (level, log, handler) => void (level === 'info' || handler(level, log)),
  });
  await bundle.write({ file: 'dist/search/qmd/vendor.js', format: 'esm', codeSplitting: false });
  await bundle.close();
}
