import { existsSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { installPackages } from '../install-packages.ts';

/** The real clients, which are large, so that no other job gets them. */
const packages = { '@anthropic-ai/claude-code': '2.1.325', '@openai/codex': '0.166.0' };
const folder = resolve('.tools', 'clients');
const system = `${process.platform}-${process.arch}`;

/** A registry that takes longer is down. */
const patience = 600_000;

export type Installed = { claude: string; codex: string };

/** Where they are, or why they are not. Tests run side by side, so none of them installs. */
export function findInstalled(): Installed | { missing: string } {
  const installed = {
    claude: join(folder, 'node_modules', '@anthropic-ai', `claude-code-${system}`, 'claude'),
    codex: join(folder, 'node_modules', '.bin', 'codex'),
  };
  return Object.values(installed).every((file) => existsSync(file))
    ? installed
    : { missing: 'Claude Code and Codex are not here; get them with: node test/clients/prepare.ts' };
}

/** Installs them, kept for the next time; gives why it could not be done, or null. */
export function install(): string | null {
  if (!('missing' in findInstalled())) return null;
  try {
    installPackages(folder, packages, patience);
    const found = findInstalled();
    return 'missing' in found ? `there is none for ${system}` : null;
  } catch (error) {
    return String(error);
  }
}
