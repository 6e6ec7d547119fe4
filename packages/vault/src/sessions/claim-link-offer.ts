import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Place } from '../hook/index.ts';

/** Whether the user is to be told that sessions in the repository can be recorded: once per repository. */
export function claimLinkOffer(stateHome: string, { folder, repository }: Place): boolean {
  const name = createHash('sha256')
    .update(repository?.remote ?? repository?.folder ?? folder)
    .digest('hex');
  const offers = join(stateHome, 'link-offers');
  try {
    mkdirSync(offers, { recursive: true, mode: 0o700 });
    writeFileSync(join(offers, name.slice(0, 16)), '', { flag: 'wx', mode: 0o600 });
    return true;
  } catch {
    // The file exists, or the offer cannot be remembered and would be repeated in every session.
    return false;
  }
}
