export type TaskPart = { key: string; value: string; isUrgent: boolean };

const knownTaskKeys = new Set([
  'status',
  'statut',
  'prio',
  'priority',
  'priorité',
  'deadline',
  'due',
  'échéance',
  'added',
  'ajoutée',
  'project',
  'projet',
  'repeat',
  'recurrence',
  'récurrence',
]);
const highPriorityPattern = /^(?:haute|high|urgente?|critical|critique)$/i;

/** Parses a task metadata line such as `status: to-do | prio: high`; null when the line is not one. */
export function parseTaskFields(line: string): TaskPart[] | null {
  const parts = line.split('|').map((part) => /^\s*([\p{L}-]{2,20})\s*:\s*(\S.*?)\s*$/u.exec(part));
  if (parts.includes(null)) return null;
  const pairs = parts.map((match) => ({ key: match?.[1] ?? '', value: match?.[2] ?? '' }));
  if (!pairs.some(({ key }) => knownTaskKeys.has(key.toLowerCase()))) return null;
  return pairs.map(({ key, value }) => ({
    key,
    value,
    isUrgent: /^prio/i.test(key) && highPriorityPattern.test(value),
  }));
}
