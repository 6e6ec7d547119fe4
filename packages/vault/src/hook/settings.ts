import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which sessions are recorded. */
export const captureModes = ['linked', 'everywhere', 'never'] as const;
export type CaptureMode = (typeof captureModes)[number];

/** How sessions of AI clients on this machine are connected to a vault. */
export type SessionSettings = {
  /** The vault that sessions are recorded in. */
  vault: string | null;
  capture: CaptureMode;
  /** Whether unattended sessions are recorded, too. */
  unattended: boolean;
  /** Project by remote (`github.com/owner/name`) or folder; null excludes the folder. */
  links: Record<string, string | null>;
  /** Names of the clients in which the plugin is installed. */
  clients: string[];
  /** Settings files of Claude Code in which Keepsake has set the memory folder. */
  memoryFiles: string[];
};

export const defaultSettings: SessionSettings = {
  vault: null,
  capture: 'never',
  unattended: false,
  links: {},
  clients: [],
  memoryFiles: [],
};

export function settingsFile(configurationHome: string): string {
  return join(configurationHome, 'sessions.json');
}

/** A missing or unreadable file counts as settings that allow nothing. */
export function readSettings(configurationHome: string): SessionSettings {
  return parseSettings(configurationHome) ?? defaultSettings;
}

/** Null if the file exists but cannot be read, so that the user's choice is unknown. */
export function parseSettings(configurationHome: string): SessionSettings | null {
  try {
    const stored = JSON.parse(
      readFileSync(settingsFile(configurationHome), 'utf8'),
    ) as Partial<SessionSettings>;
    const links = Object.entries(stored.links ?? {}).filter(
      ([, to]) => to === null || typeof to === 'string',
    );
    return {
      vault: typeof stored.vault === 'string' ? stored.vault : null,
      capture: captureModes.find((mode) => mode === stored.capture) ?? 'never',
      unattended: stored.unattended === true,
      links: Object.fromEntries(links),
      clients: Array.isArray(stored.clients) ? stored.clients.map(String) : [],
      memoryFiles: Array.isArray(stored.memoryFiles) ? stored.memoryFiles.map(String) : [],
    };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? defaultSettings : null;
  }
}
