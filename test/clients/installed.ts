import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installPackages } from '../install-packages.ts';

/** The real clients. They are large, so only the job that needs them downloads them. */
const packages = { '@anthropic-ai/claude-code': '2.1.325', '@openai/codex': '0.166.0' };
const folder = resolve('.tools', 'clients');
const system = `${process.platform}-${process.arch}`;

/** A registry that takes longer is considered down. */
const installTimeoutMs = 600_000;

export type Installed = { claude: string; codex: string };

/** The paths of the clients, or why they are missing. Tests run concurrently, so none of them installs the clients. */
export function findInstalled(): Installed | { missing: string } {
  const installed = {
    claude: join(folder, 'node_modules', '@anthropic-ai', `claude-code-${system}`, 'claude'),
    codex: join(folder, 'node_modules', '.bin', 'codex'),
  };
  return Object.values(installed).every((file) => existsSync(file))
    ? installed
    : { missing: 'Claude Code and Codex are not installed; install them with: node test/clients/prepare.ts' };
}

/** Installs the clients and keeps them for later runs; returns the error, or null on success. */
export function install(): string | null {
  if (!('missing' in findInstalled())) return null;
  try {
    installPackages(folder, packages, installTimeoutMs);
    const found = findInstalled();
    return 'missing' in found ? `no package for ${system}` : null;
  } catch (error) {
    return String(error);
  }
}
