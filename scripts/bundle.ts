import { readFileSync } from 'node:fs';
import { rolldown } from 'rolldown';
import type { RolldownOutput } from 'rolldown';

type PackageName = 'vault' | 'service' | 'benchmark';

export const sources = 'packages/vault/src';
/** What the product starts as a process and as a thread. */
const started = ['intake/worker', 'changes/program-launcher', 'changes/comparison-worker'];
/**
 * For campaigns and benches, in which one process does what many commands would do. In a bundle of their own, because an entry
 * point is loaded whole by everything that uses one name of it.
 */
const doors = ['app/index', 'queue/index', 'server/index', 'tools/index', 'search/qmd/vendor'];

/** The program of a package, with the modules of the product that it uses. Gives the files it wrote. */
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

/** With every package that is needed for development only: bundled, it brings what is used of it and nothing else. */
async function bundle(
  name: PackageName,
  input: Record<string, string>,
  { chunks, folder }: { chunks: string; folder: string },
): Promise<RolldownOutput> {
  const manifest = readFileSync(`packages/${name}/package.json`, 'utf8');
  const { dependencies } = JSON.parse(manifest) as { dependencies: object };
  // Installed with the package, or never loaded: we run models ourselves and cut no program code.
  const packages = [...Object.keys(dependencies), 'node-llama-cpp', 'web-tree-sitter'];
  const bundled = await rolldown({
    input,
    platform: 'node',
    // Nothing happens at import, so that what is not used need not be loaded; but for two libraries, which register something then.
    treeshake: { moduleSideEffects: (id) => /node_modules\/(?:reflect-metadata|underscore)\//.test(id) },
    external: (id) => packages.some((each) => id === each || id.startsWith(`${each}/`)),
    // A library of Koa compiles functions with `eval`, which sees what it needs: names are not shortened.
    onLog: (level, log, handler) => void (level === 'info' || log.code === 'EVAL' || handler(level, log)),
  });
  const written = await bundled.write({
    dir: folder,
    entryFileNames: '[name].js',
    // As deep as a module, so that what is found from there is found from here.
    chunkFileNames: `${chunks}/[name]-[hash].js`,
  });
  await bundled.close();
  return written;
}
