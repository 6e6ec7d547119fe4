import { realpathSync } from 'node:fs';
import { AppError, findVaultFolder } from '../app/index.ts';
import { parseVaultPath } from '../vault/index.ts';
import type { VaultPath } from '../vault/index.ts';
import type { Cli } from './command.ts';
import { createPathResolver } from './path-resolver.ts';
import type { PathResolver } from './path-resolver.ts';

type Context = Pick<Cli, 'environment'>;
type Selection = { vault?: string | undefined };

/** Resolves paths that the user typed. Throws for one that leads out of the vault. */
export async function resolvePathArguments(
  cli: Context,
  options: Selection,
  typed: readonly string[],
  kind: 'path' | 'pattern' = 'path',
): Promise<string[]> {
  const resolver = await findPathResolver(cli, options);
  return typed.map((each) => {
    const path = resolver(each, kind);
    if (path !== null) return path;
    throw new AppError('bad-input', `${each} is outside the vault`, {
      hint: 'use a path from the current folder in the vault, or from its root: vault/…',
    });
  });
}

/** Resolves and parses a path that the user typed. Throws if no file of the vault can have it. */
export async function parsePathArgument(cli: Context, options: Selection, typed: string): Promise<VaultPath> {
  const [path = typed] = await resolvePathArguments(cli, options, [typed]);
  const parsed = parseVaultPath(path);
  if (parsed.ok) return parsed.path;
  throw new AppError('bad-input', `${typed}: ${parsed.reason}`);
}

/** For a text that is a path only if a file has it. Without a vault, paths stay as they are. */
export async function findPathResolver(
  { environment }: Context,
  { vault }: Selection,
): Promise<PathResolver> {
  const folder = await findVaultFolder(vault, environment);
  return folder === undefined
    ? (typed) => typed
    : createPathResolver(folder, readCurrentFolder(environment.cwd));
}

/** Null when the current folder was deleted. */
function readCurrentFolder(cwd: () => string): string | null {
  try {
    return realpathSync(cwd());
  } catch {
    return null;
  }
}
