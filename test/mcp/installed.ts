import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from '../install-packages.ts';

/** Other people's clients and judges of MCP, apart from what Keepsake depends on. */
const packages = {
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  '@ai-sdk/mcp': '2.0.93',
};

const folder = resolve('.tools', 'mcp');
/** A registry that takes longer is down. */
const patience = 300_000;

export type Installed = {
  /** The file of one of the packages. */
  file(name: keyof typeof packages, path: string): string;
  load(name: keyof typeof packages, path: string): Promise<unknown>;
};

/** What is installed, or why it is not. Tests run side by side, so none of them installs. */
export function findInstalled(): Installed | { missing: string } {
  const isThere = Object.entries(packages).every(([name, version]) => versionOf(name) === version);
  if (!isThere) return { missing: 'other clients are missing; get them with: node test/mcp/prepare.ts' };
  const file: Installed['file'] = (name, path) => join(folder, 'node_modules', name, path);
  return { file, load: (name, path) => import(pathToFileURL(file(name, path)).href) };
}

/** Installs them, kept for the next time; gives why it could not be done, or null. */
export function install(): string | null {
  if (!('missing' in findInstalled())) return null;
  try {
    installPackages(folder, packages, patience);
    return null;
  } catch (error) {
    return String(error);
  }
}

function versionOf(name: string): string | null {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null;
}
