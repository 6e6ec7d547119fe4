import type { Change } from '../api/history-api.ts';
import type { Text } from '../text/en.ts';

type ChangeKind = 'created' | 'edited' | 'deleted' | 'moved' | 'changed';

/** Describes a change in one sentence, including its author. */
export function changeSentence(change: Change, { changes: text }: Text): string {
  const { who, said, undoes, origin, counts } = change;
  const all = counts.files === 1 ? fileNameFor(change, kindOf(change.files[0])) : text.files(counts.files);
  const subject = hasAuthorName(who, text) ? text.has(who.name) : text.subject[who.kind];
  if (undoes !== null)
    return `${subject} ${undoes.said === null ? text.tookBackFiles(all) : text.tookBack(undoes.said)}`;
  if (said !== null) return said;
  if (who.kind === 'import') return text.imported(all);
  if (who.kind === 'upkeep') return text.stamped(all);
  if (who.kind === 'person' && origin === 'restore') return `${subject} ${text.restored(all)}`;
  const { created, edited, deleted, moved, files } = counts;
  const numbers = { created, edited, moved, deleted, changed: files - created - edited - moved - deleted };
  const parts = (Object.entries(numbers) as [ChangeKind, number][])
    .filter(([, count]) => count > 0)
    .map(([kind, count]) => text.did[kind](count === 1 ? fileNameFor(change, kind) : text.files(count)));
  return `${subject} ${parts.join(` ${text.and} `)}`;
}

/** The author of a change, for small print. For the user, it includes where the change was made. */
export function formatAuthor(who: Change['who'], { changes: text }: Text): string {
  const { kind, name } = who;
  if (hasAuthorName(who, text)) return name;
  if (kind === 'agent' && name !== 'web') return `${text.who.agent}, ${text.from(name)}`;
  const place = kind === 'person' ? text.places[name] : undefined;
  return place === undefined ? text.who[kind] : `${text.who[kind]}, ${place}`;
}

/** Clients and invited members have a name of their own. For other authors, `name` is where the change was made. */
function hasAuthorName({ kind, name }: Change['who'], { places }: Text['changes']): boolean {
  return name !== '' && (kind === 'client' || (kind === 'person' && places[name] === undefined));
}

function kindOf(file: Change['files'][number] | undefined): ChangeKind {
  if (file?.from != null) return 'moved';
  return file?.kind ?? 'changed';
}

/** Names the only file that was changed in this way. */
function fileNameFor({ files }: Change, kind: ChangeKind): string {
  const file = files.find((each) => kindOf(each) === kind);
  if (file === undefined) return '…';
  return file.from === null ? shortPath(file.path) : `${shortPath(file.from)} → ${shortPath(file.path)}`;
}

/** The file name with its folder, because many notes share a name. */
function shortPath(path: string): string {
  return path
    .replace(/^vault\//, '')
    .split('/')
    .slice(-2)
    .join('/');
}
