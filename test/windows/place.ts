import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A user of Windows with a vault. `command` starts Keepsake: Node.js and its script, or the executable. */
export type Place = {
  command: readonly string[];
  home: string;
  vault: string;
  variables: NodeJS.ProcessEnv;
  /** Runs a command that must exit with 0, and returns what it prints. */
  run: (args: string[], input?: string) => string;
  /** Returns exit code and all output. */
  attempt: (args: string[], input?: string) => { code: number | null; said: string };
};

export function createPlace(command: readonly string[]): Place {
  const home = mkdtempSync(join(tmpdir(), 'user-'));
  const vault = join(home, 'vault');
  const [local, roaming] = [join(home, 'AppData', 'Local'), join(home, 'AppData', 'Roaming')];
  for (const folder of [local, roaming]) mkdirSync(folder, { recursive: true });
  const variables = {
    ...process.env,
    USERPROFILE: home,
    LOCALAPPDATA: local,
    APPDATA: roaming,
    KEEPSAKE_VAULT: vault,
    NO_COLOR: '1',
  };
  const [program = '', ...before] = command;
  const attempt: Place['attempt'] = (args, input = '') => {
    const ended = spawnSync(program, [...before, ...args], {
      cwd: home,
      env: variables,
      input,
      encoding: 'utf8',
    });
    if (ended.error !== undefined) throw ended.error;
    return { code: ended.status, said: ended.stdout + ended.stderr };
  };
  return {
    command,
    home,
    vault,
    variables,
    attempt,
    run(args, input) {
      const { code, said } = attempt(args, input);
      if (code !== 0) throw new Error(`keepsake ${args.join(' ')} exited with ${String(code)}: ${said}`);
      return said;
    },
  };
}
