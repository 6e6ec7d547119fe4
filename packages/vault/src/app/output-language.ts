import { readIdentity, readLanguage } from '../vault/index.ts';
import type { Language, VaultRoot } from '../vault/index.ts';
import type { Environment } from './environment.ts';

/**
 * The language of everything that is said in two languages about a vault: that of its settings, then that of the locale. A vault whose
 * settings cannot be read is reported where it is opened.
 */
export function outputLanguage(
  root: VaultRoot | null,
  { language }: Pick<Environment, 'language'>,
): Language {
  if (root === null) return language;
  try {
    return readLanguage(readIdentity(root)) ?? language;
  } catch {
    return language;
  }
}
