import { createRoute } from '@hono/zod-openapi';
import { api, localTime } from '../../../contract/index.ts';
import { childPath, showPath } from '../../../vault/index.ts';
import type { FolderEntry, VaultPath } from '../../../vault/index.ts';
import { base, json } from '../describe.ts';
import type { RouteParts } from '../parts.ts';
import { deadlineIn, statusIn } from '../project-notes.ts';
import type { HttpApp } from '../request-env.ts';

const list = createRoute({
  method: 'get',
  path: `${base}/projects`,
  tags: ['files'],
  summary: 'List projects with how they stand',
  request: { params: api.vaultParams },
  responses: { 200: json(api.projects, 'Projects') },
});

/** Two notes are read of each. */
const mostProjects = 24;

export function projectRoutes(app: HttpApp, { keepsake }: RouteParts): void {
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
      .slice(0, mostProjects);
    const projects = await Promise.all(
      found.map(async ({ name, path, updated }) => ({
        name,
        path: showPath(path),
        status: statusIn(await textOf(childPath(path, 'state.md'))),
        deadline: deadlineIn(await textOf(childPath(path, names.tasks))),
        updated,
      })),
    );
    return c.json({ projects }, 200);
  });
}

/** When the newest of its own notes was changed. */
function updatedIn({ files }: FolderEntry): string | null {
  const times = [...files.values()].map(({ updated, mtime }) => updated ?? localTime(mtime));
  return times.toSorted().at(-1) ?? null;
}
