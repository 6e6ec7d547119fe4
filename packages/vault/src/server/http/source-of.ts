import type { UpdateInput } from '../../contract/index.ts';
import type { Caller } from '../auth/auth.ts';

type Source = UpdateInput['source'];

/**
 * Whose words a request hands over. What a program sends with its token is never the person's word, whatever the request
 * says of it; a process of the person says itself whose words they are. Files are the person's only where that is said.
 */
export function sourceOf(caller: Caller | null, files: UpdateInput['files'], said?: Partial<Source>): Source {
  // Who was invited cannot say that they are somebody else.
  const name = (caller?.person == null ? said?.name : null) ?? caller?.name ?? 'http';
  if (caller === null || (caller.kind !== 'owner' && !caller.isPerson)) return { kind: 'other', name };
  const isPersons = caller.isPerson && files.length === 0;
  return { kind: said?.kind ?? (isPersons ? 'person' : 'other'), name };
}

/** Who asks, for history. A person who was invited is named so that nobody else can be taken for them. */
export function originOf(caller: Caller | null, said?: string): string {
  if (caller?.isPerson === true && caller.person !== null) return `person: ${caller.name}`;
  return said ?? caller?.name ?? 'http';
}
