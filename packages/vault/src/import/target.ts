import { AppError } from '../app/index.ts';
import {
  findFolder,
  parseVaultPath,
  pathSegments,
  portableTitle,
  rootPath,
  formatPath,
} from '../vault/index.ts';
import type { FolderEntry, Layout, VaultPath } from '../vault/index.ts';
import type { ImportKind } from './detect-kind.ts';

/**
 * Resolves the target folder of an import, which must be in a bucket; a project stands for its bucket. A folder inside
 * a bucket is used as it is. For a bucket itself, the result is a folder in it, named after the source.
 */
export function resolveTarget(
  into: string,
  kind: ImportKind,
  sourceName: string,
  contents: FolderEntry,
  { names: { projects } }: Layout,
): VaultPath {
  const parsed = parseVaultPath(into);
  if (!parsed.ok) throw new AppError('bad-target', `--into ${into}: ${parsed.reason}`);
  const [first, project, bucket, ...below] = pathSegments(parsed.path);
  const name = getFolderName(kind, sourceName);
  if (first === 'bucket') return project === undefined ? join(parsed.path, name) : parsed.path;
  if (first !== projects || project === undefined || (bucket ?? 'bucket') !== 'bucket')
    throw new AppError('bad-target', `${formatPath(parsed.path)} is not a bucket`, {
      hint: `import into bucket, bucket/<folder>, ${projects}/<project> or ${projects}/<project>/bucket/<folder>`,
    });
  const home = join(rootPath, `${projects}/${project}`);
  if (findFolder(contents, home) === undefined)
    throw new AppError('bad-target', `project not found: ${project}`, {
      hint: `use an existing project in ${projects}/, or create one with: keepsake write '${projects}/${project}/description.md'`,
    });
  return below.length > 0 ? parsed.path : join(home, `bucket/${name}`);
}

/** Exports of these applications have generated names, so the kind is used instead. */
function getFolderName(kind: ImportKind, sourceName: string): string {
  return kind === 'chatgpt' || kind === 'claude' || kind === 'notion' ? kind : portableTitle(sourceName);
}

function join(folder: VaultPath, name: string): VaultPath {
  return `${folder}/${name}` as VaultPath;
}
