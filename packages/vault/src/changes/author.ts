import type { Who } from '../contract/index.ts';

/** The columns that identify the author of a transaction. */
export type AuthorRow = {
  origin: string;
  /** 1 if the transaction was not made through a connection. */
  hasNoConnection: number;
  /** 1 if the transaction was made by a tool call, whose caller chooses the origin. */
  isCall: number;
};

const agentPrefix = 'update agent, ';
/** The origin of a change by an invited member of the vault starts with this. */
const personPrefix = 'person: ';
const builtInOrigins: Record<string, Who> = {
  outside: { kind: 'outside', name: '' },
  sync: { kind: 'sync', name: '' },
  import: { kind: 'import', name: '' },
  upkeep: { kind: 'upkeep', name: '' },
  'look-back': { kind: 'upkeep', name: '' },
  web: { kind: 'person', name: 'web' },
};

/** The author of a change. The origin is trusted only where clients cannot choose it. */
export function resolveAuthor({ origin, hasNoConnection, isCall }: AuthorRow): Who {
  if (isCall === 0 && origin.startsWith(agentPrefix))
    return { kind: 'agent', name: origin.slice(agentPrefix.length) };
  if (hasNoConnection === 0) return { kind: 'client', name: origin.replace(/^mcp(?:: |$)/, '') };
  if (origin.startsWith(personPrefix)) return { kind: 'person', name: origin.slice(personPrefix.length) };
  const isTerminal = origin === 'http' || /^keepsake\b/.test(origin);
  return builtInOrigins[origin] ?? { kind: 'person', name: isTerminal ? 'terminal' : '' };
}
