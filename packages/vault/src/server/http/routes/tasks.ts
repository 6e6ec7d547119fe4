import { createRoute } from '@hono/zod-openapi';
import { api } from '../../../contract/index.ts';
import { changeTask, decodeText, formatPath, statesDoneDay } from '../../../vault/index.ts';
import type { ListedTask } from '../../../vault/index.ts';
import { toSender } from '../authorize.ts';
import { putFile } from '../change-file.ts';
import { fileNotFound, parsePath } from '../paths.ts';
import { Problem } from '../problem.ts';
import { resolveOrigin } from '../resolve-source.ts';
import { vaultBasePath, jsonBody, jsonContent } from '../route-schemas.ts';
import type { RouteContext } from '../http-options.ts';
import type { HttpApp } from '../request-env.ts';

const list = createRoute({
  method: 'get',
  path: `${vaultBasePath}/tasks`,
  tags: ['reading'],
  summary: 'List the tasks of all notes',
  request: { params: api.vaultParams, query: api.tasksQuery },
  responses: { 200: jsonContent(api.tasks, 'Tasks by deadline') },
});
const change = createRoute({
  method: 'post',
  path: `${vaultBasePath}/tasks/change`,
  tags: ['files'],
  summary: 'Change the status, priority or deadline of a task in its note',
  description:
    'Changes only the lines of the task. A repeating task that is completed gets its next task in the line above. If the task or its note changed since it was listed, responds 409 or 412 and writes nothing.',
  request: { params: api.vaultParams, body: jsonBody(api.taskChangeRequest) },
  responses: { 200: jsonContent(api.taskChangeResponse, 'Changed') },
});

export function taskRoutes(app: HttpApp, { keepsake, root, auth }: RouteContext): void {
  app.openapi(list, async (c) => {
    const { status = null, folder, due = null, limit } = c.req.valid('query');
    const found = await keepsake.tasks({
      status,
      folder: folder === undefined ? null : parsePath(folder),
      due,
      limit,
    });
    return c.json(
      {
        ...found,
        tasks: found.tasks.map(showTask),
        folders: found.folders.map(({ path, tasks }) => ({ path: formatPath(path), tasks })),
      },
      200,
    );
  });
  app.openapi(change, async (c) => {
    const { path: shown, line, expected, set } = c.req.valid('json');
    const path = parsePath(shown);
    const read = await keepsake.readFile(path);
    if (read.kind !== 'file') throw fileNotFound(path, read);
    const decoded = decodeText(Buffer.from(read.bytes));
    // A file that is not UTF-8 would be written in another encoding.
    if (decoded.kind !== 'text' || !Buffer.from(decoded.text).equals(read.bytes))
      throw new Problem('refused', { detail: `${formatPath(path)} is not UTF-8 text` });
    const changed = changeTask(decoded.text, line, expected, {
      ...set,
      today: keepsake.readRun('person').today(),
      statesDoneDay: statesDoneDay(root),
    });
    if (changed.kind === 'changed-elsewhere')
      throw new Problem('conflict', {
        detail: `the task in line ${line} of ${formatPath(path)} was changed elsewhere`,
        hint: 'list the tasks again',
      });
    if (changed.kind === 'unsupported')
      throw new Problem('refused', {
        detail: `line ${line} of ${formatPath(path)} is written in a form that cannot be changed here`,
        hint: 'edit the note',
      });
    const written = await putFile(
      keepsake,
      {
        path,
        precondition: { kind: 'revision', among: [read.revision] },
        origin: resolveOrigin(c.get('caller')),
        ...toSender(c.get('caller'), auth),
        isConfirmed: true,
      },
      changed.text,
    );
    return c.json({ change: written.change, repeat: changed.repeat }, 200);
  });
}

function showTask({ path, lineNumber, title, form, status, priority, when, repeat }: ListedTask) {
  return {
    path: formatPath(path),
    line: lineNumber,
    title,
    form: form === 'heading' ? ('heading' as const) : ('checkbox' as const),
    status,
    priority,
    day: when?.day ?? null,
    time: when?.time ?? null,
    repeat,
  };
}
