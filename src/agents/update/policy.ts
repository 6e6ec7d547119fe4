import { writePolicy } from '../../tools/index.ts';
import { childPath, rootPath, showPath } from '../../vault/index.ts';
import type { FileChange, Policy, Revision, VaultPath } from '../../vault/index.ts';
import { ownWords } from './status.ts';

/** Files that speak for the person: only the person's own words change them without being asked. */
const personal = new Set<string>(['profile.md', 'overview.md'].map((name) => childPath(rootPath, name)));

type Rules = {
  received: ReadonlyMap<Revision, string>;
  /** Whether the update carries the person's own words. */
  isFromPerson: boolean;
  isExcluded: (path: VaultPath) => boolean;
};

/** What the update agent may do with the files, and what a person must agree to first. */
export function updatePolicy({ received, isFromPerson, isExcluded }: Rules): Policy {
  const base = writePolicy('wait', received);
  return {
    whenHeld: 'wait',
    mayWrite: (path, ...change) =>
      isExcluded(path) ? 'it is kept from agents (agents.exclude)' : base.mayWrite(path, ...change),
    mustHold: (changes) => base.mustHold(changes) ?? (isFromPerson ? null : personalChange(changes)),
  };
}

function personalChange(changes: readonly FileChange[]): string | null {
  const change = changes.find(
    ({ path, before, after }) =>
      personal.has(path.toLowerCase()) &&
      ownWords(before?.toString() ?? '') !== ownWords(after?.toString() ?? ''),
  );
  if (change === undefined) return null;
  return `it changes ${showPath(change.path)} on the word of somebody else than you`;
}
