import { readFileSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { VaultRoot } from './open-path.ts';

/** Reads a settings file of Obsidian in a vault. Null if it is missing, too large or damaged, or a link. */
export function readObsidianSetting(root: VaultRoot, file: string, maxBytes: number): unknown {
  try {
    const path = join(realpathSync(root), '.obsidian', file);
    // A symbolic link could lead out of the vault.
    if (realpathSync(path) !== path || statSync(path).size > maxBytes) return null;
    return JSON.parse(readFileSync(path, 'utf8')) as unknown;
  } catch {
    return null;
  }
}

const tasksPlugin = 'obsidian-tasks-plugin';
const maxListBytes = 100_000;
const maxPluginBytes = 1_000_000;

/** Whether the plugin Tasks is enabled in a vault and states the day on which a task is done, as it does by default. */
export function statesDoneDay(root: VaultRoot): boolean {
  const enabled = readObsidianSetting(root, 'community-plugins.json', maxListBytes);
  if (!Array.isArray(enabled) || !enabled.includes(tasksPlugin)) return false;
  const setting = readObsidianSetting(root, join('plugins', tasksPlugin, 'data.json'), maxPluginBytes);
  return (setting as { setDoneDate?: unknown } | null)?.setDoneDate !== false;
}
