import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** Which sessions are recorded. */
export const captureModes = ['linked', 'everywhere', 'never'] as const;
export type CaptureMode = (typeof captureModes)[number];

/** What sessions of AI clients on this machine have to do with a vault. */
export type SessionSettings = {
  /** The vault that they belong to. */
  vault: string | null;
  capture: CaptureMode;
  /** Whether sessions are recorded that nobody sits at. */
  unattended: boolean;
  /** By remote (`github.com/owner/name`) or folder: the project that it belongs to, or null for none. */
  links: Record<string, string | null>;
  /** The clients that have the plugin. */
  clients: string[];
};

export const noSettings: SessionSettings = {
  vault: null,
  capture: 'never',
  unattended: false,
  links: {},
  clients: [],
};

export function settingsFile(configurationHome: string): string {
  return join(configurationHome, 'sessions.json');
}

/** A file that is not there, or says nothing that can be understood, allows nothing. */
export function readSettings(configurationHome: string): SessionSettings {
  return parseSettings(configurationHome) ?? noSettings;
}

/** Null for a file that is there and cannot be read: what the person allowed is not known. */
export function parseSettings(configurationHome: string): SessionSettings | null {
  try {
    const found = JSON.parse(
      readFileSync(settingsFile(configurationHome), 'utf8'),
    ) as Partial<SessionSettings>;
    const links = Object.entries(found.links ?? {}).filter(([, to]) => to === null || typeof to === 'string');
    return {
      vault: typeof found.vault === 'string' ? found.vault : null,
      capture: captureModes.find((mode) => mode === found.capture) ?? 'never',
      unattended: found.unattended === true,
      links: Object.fromEntries(links),
      clients: Array.isArray(found.clients) ? found.clients.map(String) : [],
    };
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'ENOENT' ? noSettings : null;
  }
}
