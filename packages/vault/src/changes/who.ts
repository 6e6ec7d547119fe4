import type { Who } from '../contract/index.ts';

/** What a transaction knows of its maker. Numbers are 0 or 1. */
export type Maker = {
  origin: string;
  /** Whether no connection made it. */
  isPersons: number;
  /** Whether it is of the call of a tool, which names its origin itself. */
  isCall: number;
};

const agent = 'update agent, ';
/** Somebody who was invited into the vault. */
const person = 'person: ';
const ours: Record<string, Who> = {
  outside: { kind: 'outside', name: '' },
  sync: { kind: 'sync', name: '' },
  import: { kind: 'import', name: '' },
  upkeep: { kind: 'upkeep', name: '' },
  'look-back': { kind: 'upkeep', name: '' },
  web: { kind: 'person', name: 'web' },
};

/** Whose a change is. An origin is only believed where others cannot choose it. */
export function whoseIs({ origin, isPersons, isCall }: Maker): Who {
  if (isCall === 0 && origin.startsWith(agent)) return { kind: 'agent', name: origin.slice(agent.length) };
  if (isPersons === 0) return { kind: 'client', name: origin.replace(/^mcp(?:: |$)/, '') };
  if (origin.startsWith(person)) return { kind: 'person', name: origin.slice(person.length) };
  const isTerminal = origin === 'http' || /^keepsake\b/.test(origin);
  return ours[origin] ?? { kind: 'person', name: isTerminal ? 'terminal' : '' };
}
