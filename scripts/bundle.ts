import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import type { RolldownOutput } from 'rolldown';

type PackageName = 'vault' | 'service' | 'benchmark';

export const sources = 'packages/vault/src';
/** Entry points that the product starts as processes and threads. */
export const started = [
  'intake/worker',
  'changes/program-launcher',
  'changes/comparison-worker',
  'changes/lease-thread',
  'search/chunk-worker',
  'server/note-html/render-worker',
];
/**
 * Entry points for campaigns and benches, in which one process does the work of many commands. They have a separate
 * bundle, because a module that imports one name from an entry point loads all of it.
 */
export const doors = ['app/index', 'queue/index', 'server/index', 'tools/index', 'search/qmd/vendor'];

/** Bundles the program of a package with the product modules that it uses. Returns the written files. */
export function bundleProgram(name: PackageName, folder = `packages/${name}/dist`): Promise<RolldownOutput> {
  const main = ['cli/main', `packages/${name}/src/cli/main.ts`];
  return bundle(name, Object.fromEntries([main, ...started.map(inProduct)]), { chunks: 'bundle', folder });
}

export function bundleDoors(): Promise<RolldownOutput> {
  return bundle('vault', Object.fromEntries(doors.map(inProduct)), {
    chunks: 'doors',
    folder: 'packages/vault/dist',
  });
}

function inProduct(entry: string): [string, string] {
  return [entry, `${sources}/${entry}.ts`];
}

/** Also bundles development dependencies, so that only the parts of them that are used are shipped. */
async function bundle(
  name: PackageName,
  input: Record<string, string>,
  { chunks, folder }: { chunks: string; folder: string },
): Promise<RolldownOutput> {
  const manifest = readFileSync(`packages/${name}/package.json`, 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: object };
  // These are installed with the package, or never loaded: QMD's model runtime and code parser are not used.
  const packages = [...Object.keys(dependencies), 'node-llama-cpp', 'web-tree-sitter'];
  const bundled = await rolldown({
    input,
    platform: 'node',
    // Imports have no side effects, so unused modules are dropped. Two libraries are exceptions: they register
    // something when they are imported.
    treeshake: { moduleSideEffects: (id) => /node_modules\/(?:reflect-metadata|underscore)\//.test(id) },
    external: (id) => packages.some((each) => id === each || id.startsWith(`${each}/`)),
    // A dependency of Koa uses `eval`. That is safe, because names are not mangled.
    onLog: (level, log, handler) => void (level === 'info' || log.code === 'EVAL' || handler(level, log)),
  });
  const written = await bundled.write({
    dir: folder,
    entryFileNames: '[name].js',
    // At the same depth as the modules, so that relative paths still resolve.
    chunkFileNames: `${chunks}/[name]-[hash].js`,
  });
  await bundled.close();
  return written;
}
