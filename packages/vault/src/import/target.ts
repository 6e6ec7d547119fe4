import { AppError } from '../app/index.ts';
import { folderIn, parseVaultPath, partsOf, portableTitle, rootPath, showPath } from '../vault/index.ts';
import type { FolderEntry, Layout, VaultPath } from '../vault/index.ts';
import type { ImportKind } from './recognise.ts';

/**
 * The folder that everything lands in. Raw material belongs into buckets: a project means its bucket. Below a bucket the
 * folder is the one that was named, else it is called after the source.
 */
export function chooseTarget(
  into: string,
  kind: ImportKind,
  sourceName: string,
  contents: FolderEntry,
  { names: { projects } }: Layout,
): VaultPath {
  const parsed = parseVaultPath(into);
  if (!parsed.ok) throw new AppError('bad-target', `--into ${into}: ${parsed.reason}`);
  const [first, project, bucket, ...below] = partsOf(parsed.path);
  const name = nameFor(kind, sourceName);
  if (first === 'bucket') return project === undefined ? join(parsed.path, name) : parsed.path;
  if (first !== projects || project === undefined || (bucket ?? 'bucket') !== 'bucket')
    throw new AppError('bad-target', `${showPath(parsed.path)} is no bucket`, {
      mend: `what is imported goes into bucket, bucket/<folder>, ${projects}/<project> or ${projects}/<project>/bucket/<folder>`,
    });
  const home = join(rootPath, `${projects}/${project}`);
  if (folderIn(contents, home) === undefined)
    throw new AppError('bad-target', `there is no project ${project}`, {
      mend: `name one of ${projects}/, or make it: keepsake write '${projects}/${project}/description.md'`,
    });
  return below.length > 0 ? parsed.path : join(home, `bucket/${name}`);
}

/** Exports of these have names that nobody chose. */
function nameFor(kind: ImportKind, sourceName: string): string {
  return kind === 'chatgpt' || kind === 'claude' || kind === 'notion' ? kind : portableTitle(sourceName);
}

function join(folder: VaultPath, name: string): VaultPath {
  return `${folder}/${name}` as VaultPath;
}
