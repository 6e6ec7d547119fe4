import { createRoute } from '@hono/zod-openapi';
import { api, formatLocalTime } from '../../../contract/index.ts';
import { childPath, formatPath } from '../../../vault/index.ts';
import type { FolderEntry, VaultPath } from '../../../vault/index.ts';
import { vaultBasePath, jsonContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import { findNextDeadline, findStatusLine, findTitle } from '../project-notes.ts';
import type { HttpApp } from '../request-env.ts';

const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/projects`,
  tags: ['files'],
  summary: 'List projects with their status',
  request: { params: api.vaultParams },
  responses: { 200: jsonContent(api.projects, 'Projects') },
});

/** Limits the work of a request: two notes are read per project. */
const maxProjects = 24;

export function projectRoutes(app: HttpApp, { keepsake }: RouteContext): void {
  const textOf = async (path: VaultPath): Promise<string> => {
    const read = await keepsake.readFile(path);
    return read.kind === 'file' ? String(read.bytes) : '';
  };
  app.openapi(list, async (c) => {
    const { names } = keepsake.layout();
    const folder = (await keepsake.contents()).folders.get(names.projects);
    const found = [...(folder?.folders ?? [])]
      .map(([name, entry]) => ({ name, path: entry.path, updated: updatedIn(entry) }))
      .toSorted((a, b) => (b.updated ?? '').localeCompare(a.updated ?? ''))
      .slice(0, maxProjects);
    const projects = await Promise.all(
      found.map(async ({ name, path, updated }) => ({
        name,
        title: findTitle(await textOf(childPath(path, 'description.md'))) ?? name,
        path: formatPath(path),
        status: findStatusLine(await textOf(childPath(path, 'state.md'))),
        deadline: findNextDeadline(await textOf(childPath(path, names.tasks))),
        updated,
      })),
    );
    return c.json({ projects }, 200);
  });
}

/** The latest change of the files directly in the folder. */
function updatedIn({ files }: FolderEntry): string | null {
  const times = [...files.values()].map(({ updated, mtime }) => updated ?? formatLocalTime(mtime));
  return times.toSorted().at(-1) ?? null;
}
