export type TaskPart = { key: string; value: string; isUrgent: boolean };

const known = new Set([
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
]);
const high = /^(?:haute|high|urgente?|critical|critique)$/i;

/** `status: to-do | prio: high` taken apart; null when the line is not the metadata of a task. */
export function taskParts(line: string): TaskPart[] | null {
  const parts = line.split('|').map((part) => /^\s*([\p{L}-]{2,20})\s*:\s*(\S.*?)\s*$/u.exec(part));
  if (parts.includes(null)) return null;
  const pairs = parts.map((match) => ({ key: match?.[1] ?? '', value: match?.[2] ?? '' }));
  if (!pairs.some(({ key }) => known.has(key.toLowerCase()))) return null;
  return pairs.map(({ key, value }) => ({ key, value, isUrgent: /^prio/i.test(key) && high.test(value) }));
}
