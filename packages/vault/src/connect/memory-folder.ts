import { dirname, join } from 'node:path';
import { AppError } from '../app/index.ts';
import { planFileChange } from './config-change.ts';
import type { ConfigChange } from './config-change.ts';
import { getJsonValue, removeJsonValue, setJsonValue } from './set-json-entry.ts';

/** The setting of Claude Code for the folder of its own memory. It ignores relative paths. */
const key = 'autoMemoryDirectory';

/** The settings of one user for one repository; they are not shared with others. */
function memorySettingsFile(repository: string): string {
  return join(repository, '.claude', 'settings.local.json');
}

/** Computes how setting the memory folder of a repository changes its settings. Writes nothing. */
export function planMemoryChange(repository: string, memoryFolder: string): ConfigChange {
  const file = memorySettingsFile(repository);
  return planChange(file, (text) => setJsonValue(text, key, memoryFolder));
}

/** Computes how the settings change when the memory folder is no longer set; a folder that the user has set stays. */
export function planMemoryRemoval(file: string, isOwn: (memoryFolder: string) => boolean): ConfigChange {
  return planChange(file, (text) => {
    const value = getJsonValue(text, key);
    return typeof value === 'string' && isOwn(value) ? removeJsonValue(text, key) : text;
  });
}

/** Computes how the settings change when the vault with the memory folder was moved. Writes nothing. */
export function planMemoryMove(file: string, move: (path: string) => string | null): ConfigChange {
  return planChange(file, (text) => {
    const value = getJsonValue(text, key);
    const moved = typeof value === 'string' ? move(value) : null;
    return moved === null ? text : setJsonValue(text, key, moved);
  });
}

function planChange(file: string, edit: (text: string) => string): ConfigChange {
  const within = dirname(dirname(file));
  try {
    return planFileChange({ file, within, isProject: true }, edit);
  } catch (cause) {
    if (!(cause instanceof SyntaxError)) throw cause;
    throw new AppError('bad-target', `${file} is not valid JSON (${cause.message}); nothing was changed`, {
      hint: 'fix it first',
      cause,
    });
  }
}
