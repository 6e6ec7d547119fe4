import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { installPackages } from '../install-packages.ts';

/** Third-party MCP clients and test suites, which are not dependencies of Keepsake. */
const packages = {
  '@modelcontextprotocol/inspector': '2.12.0',
  '@modelcontextprotocol/conformance': '0.2.0-alpha.12',
  '@modelcontextprotocol/sdk': '1.32.2',
  '@modelcontextprotocol/server-filesystem': '2026.8.31',
  '@ai-sdk/mcp': '2.0.93',
};

const folder = resolve('.tools', 'mcp');
/** After this time, the registry counts as unavailable. */
const timeoutMs = 300_000;

export type Installed = {
  /** The path of a file in one of the packages. */
  file(name: keyof typeof packages, path: string): string;
  load(name: keyof typeof packages, path: string): Promise<unknown>;
};

/** The installed packages, or the reason why they are missing. Tests run in parallel, so they do not install. */
export function findInstalled(): Installed | { missing: string } {
  const exists = Object.entries(packages).every(([name, version]) => versionOf(name) === version);
  if (!exists) return { missing: 'other clients are missing; get them with: node test/mcp/prepare.ts' };
  const file: Installed['file'] = (name, path) => join(folder, 'node_modules', name, path);
  return { file, load: (name, path) => import(pathToFileURL(file(name, path)).href) };
}

/** Installs the packages and caches them; returns the reason if it fails, or null. */
export function install(): string | null {
  if (!('missing' in findInstalled())) return null;
  try {
    installPackages(folder, packages, timeoutMs);
    return null;
  } catch (error) {
    return String(error);
  }
}

function versionOf(name: string): string | null {
  const file = join(folder, 'node_modules', name, 'package.json');
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as { version: string }).version : null;
}
