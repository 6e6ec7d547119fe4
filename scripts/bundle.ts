import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import type { RolldownOutput } from 'rolldown';

/** The program, and what it starts as a process and as a thread. */
const program = ['cli/main', 'intake/worker', 'changes/program-launcher', 'changes/comparison-worker'];
/**
 * For campaigns and measurements, in which one process does what many commands would do. Apart, as a door that is an entry is
 * loaded whole by whoever uses one name of it.
 */
const doors = ['app/index', 'queue/index', 'server/index', 'tools/index', 'search/qmd/vendor'];

/** Gives the files it wrote. */
export function bundleProgram(folder: string): Promise<RolldownOutput> {
  return bundle(program, 'bundle', folder);
}

export function bundleDoors(folder: string): Promise<RolldownOutput> {
  return bundle(doors, 'doors', folder);
}

/** With every package that is needed for development only: bundled, it brings what is used of it and nothing else. */
async function bundle(entries: string[], chunks: string, folder: string): Promise<RolldownOutput> {
  const { dependencies } = JSON.parse(readFileSync('package.json', 'utf8')) as { dependencies: object };
  // Installed with Keepsake, or never loaded: we run models ourselves and cut no program code.
  const packages = [...Object.keys(dependencies), 'node-llama-cpp', 'web-tree-sitter'];
  const bundled = await rolldown({
    input: Object.fromEntries(entries.map((entry) => [entry, `src/${entry}.ts`])),
    platform: 'node',
    // Nothing happens at import, so that what is not used need not be loaded.
    treeshake: { moduleSideEffects: false },
    external: (id) => packages.some((name) => id === name || id.startsWith(`${name}/`)),
    onLog: (level, log, handler) => void (level === 'info' || handler(level, log)),
  });
  const written = await bundled.write({
    dir: folder,
    entryFileNames: '[name].js',
    // As deep as a room, so that what is found from there is found from here.
    chunkFileNames: `${chunks}/[name]-[hash].js`,
  });
  await bundled.close();
  return written;
}
