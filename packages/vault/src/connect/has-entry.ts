import { AppError } from '../app/index.ts';
import type { Environment } from '../app/index.ts';
import { planConfigChange } from './config-change.ts';
import { getClient } from './client.ts';
import { readPlatform } from './platform.ts';
import { resolveConfigLocation } from './config-location.ts';

/** Whether the user's configuration of a client contains the Keepsake entry; false if it cannot be read. */
export function isConfigured(name: string, environment: Environment): boolean {
  const client = getClient(name);
  if (client.userConfigFile === null) return false;
  try {
    const place = resolveConfigLocation(client, readPlatform(environment), { present: environment.home });
    const { before, outcome } = planConfigChange(client, null, place);
    return before !== null && outcome === 'changed';
  } catch (error) {
    if (error instanceof AppError) return false;
    throw error;
  }
}
