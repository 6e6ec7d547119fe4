import type { Change } from '../api/history-api.ts';
import type { Text } from '../text/en.ts';

type Kind = 'created' | 'edited' | 'deleted' | 'moved' | 'changed';

/** What was done, and by whom, in one sentence. */
export function sentenceOf(change: Change, { changes: text }: Text): string {
  const { who, said, undoes, origin, counts } = change;
  const all = counts.files === 1 ? namesOf(change, kindOf(change.files[0])) : text.files(counts.files);
  if (undoes !== null) return undoes.said === null ? text.tookBackFiles(all) : text.tookBack(undoes.said);
  if (said !== null) return said;
  if (who.kind === 'import') return text.imported(all);
  if (who.kind === 'upkeep') return text.stamped(all);
  if (who.kind === 'person' && origin === 'restore') return text.restored(all);
  const { created, edited, deleted, moved, files } = counts;
  const numbers = { created, edited, moved, deleted, changed: files - created - edited - moved - deleted };
  const parts = (Object.entries(numbers) as [Kind, number][])
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => text.did[kind](count === 1 ? namesOf(change, kind) : text.files(count)));
  const subject = isNamed(who, text) ? text.has(who.name) : text.subject[who.kind];
  return `${subject} ${parts.join(` ${text.and} `)}`;
}

/** Who it was, for small print; of the person, where. */
export function whoOf(who: Change['who'], { changes: text }: Text): string {
  const { kind, name } = who;
  if (isNamed(who, text)) return name;
  if (kind === 'agent' && name !== 'web') return `${text.who.agent}, ${text.from(name)}`;
  const place = kind === 'person' ? text.places[name] : undefined;
  return place === undefined ? text.who[kind] : `${text.who[kind]}, ${place}`;
}

/** A program, or a person who was invited; of whoever else it is, it is known where they were. */
function isNamed({ kind, name }: Change['who'], { places }: Text['changes']): boolean {
  return name !== '' && (kind === 'client' || (kind === 'person' && places[name] === undefined));
}

function kindOf(file: Change['files'][number] | undefined): Kind {
  if (file?.from != null) return 'moved';
  return file?.kind ?? 'changed';
}

/** The file of a kind of which there is one. */
function namesOf({ files }: Change, kind: Kind): string {
  const file = files.find((each) => kindOf(each) === kind);
  if (file === undefined) return '…';
  return file.from === null ? shortName(file.path) : `${shortName(file.from)} → ${shortName(file.path)}`;
}

/** With the folder that it lies in: many notes have the same name. */
function shortName(path: string): string {
  return path
    .replace(/^vault\//, '')
    .split('/')
    .slice(-2)
    .join('/');
}
