import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { replaceFile } from '../app/index.ts';
import type { Environment, HealthCheck } from '../app/index.ts';
import { claudeCodeFolder } from './transcripts/find-transcripts.ts';

/**
 * Says that Claude Code deletes old sessions, unless the user has chosen a period. Says it once on this machine, because
 * it is not a problem of Keepsake; a file in the state folder remembers that.
 */
export function checkTranscriptRetention(environment: Environment): HealthCheck[] {
  const folder = claudeCodeFolder(environment);
  const shown = join(environment.stateHome, 'transcript-retention-shown');
  if (!existsSync(join(folder, 'projects')) || hasChosenPeriod(folder) || existsSync(shown)) return [];
  if (existsSync(environment.stateHome)) replaceFile(shown, '');
  return [
    {
      name: 'Sessions',
      status: 'warning',
      message: 'Claude Code deletes sessions after 30 days',
      hint: `import them with: keepsake import sessions; to keep them longer, set cleanupPeriodDays in ${join(folder, 'settings.json')}`,
    },
  ];
}

function hasChosenPeriod(folder: string): boolean {
  try {
    const settings = JSON.parse(readFileSync(join(folder, 'settings.json'), 'utf8')) as unknown;
    return typeof settings === 'object' && settings !== null && 'cleanupPeriodDays' in settings;
  } catch {
    return false;
  }
}
