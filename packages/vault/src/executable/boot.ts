// The main script of the single executable. `scripts/executable` bundles it and embeds it together with the assets.
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { getAsset, getRawAsset } from 'node:sea';
import { pathToFileURL } from 'node:url';
import { resolveBaseFolders } from '../hook/index.ts';
import { importScript, programsFolder, scriptVariable } from './single-executable.ts';
import { renewalMs, renewUse, unpackProgram, UnpackError } from './unpack-program.ts';

const args = process.argv.slice(2);
const script = process.env[scriptVariable];
delete process.env[scriptVariable];

// Answered without unpacking: the sandbox is tried with it, where no folder can be written.
if (script === undefined && args.length === 1 && /^(?:--version|-V)$/.test(args[0] ?? ''))
  process.stdout.write(`${getAsset('version', 'utf8')}\n`);
else start(script ?? unpackMain());

function unpackMain(): string | null {
  try {
    const folder = unpackProgram({
      home: programsFolder(resolveBaseFolders(process.env).cache),
      hash: getAsset('hash', 'utf8'),
      archive: () => new Uint8Array(getRawAsset('program')),
    });
    setInterval(() => renewUse(folder), renewalMs).unref();
    return join(folder, getAsset('main', 'utf8'));
  } catch (error) {
    if (!(error instanceof UnpackError)) throw error;
    process.stderr.write(`error: ${error.message}\n`);
    process.exitCode = 2;
    return null;
  }
}

/** Runs a script from the disk as Node.js would. */
function start(file: string | null): void {
  if (file === null) return;
  process.argv = [process.execPath, file, ...args];
  // The main script of an executable cannot import files; a file on the disk can. All scripts are in dist/<module>/.
  const load = createRequire(file)(join(dirname(file), '../..', importScript)) as (
    address: string,
  ) => Promise<unknown>;
  void load(pathToFileURL(file).href);
}
