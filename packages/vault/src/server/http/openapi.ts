import { z } from 'zod';
import { api } from '../../contract/index.ts';
import { scopeNeeded } from '../auth/scope.ts';
import type { HttpApp } from './request-env.ts';

type Operation = { responses: Record<string, unknown>; security?: unknown };

/** The description of every route, in a stable order; what holds for all of them is said here. */
export function describeApi(app: HttpApp, version: string): Record<string, unknown> {
  const { paths = {}, ...rest } = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Keepsake',
      version,
      description:
        'A vault of plain markdown, over HTTP. Every other answer is a problem document (RFC 9457).',
    },
  });
  const described = Object.entries(paths)
    .map(([path, item]) => [path.replace('{path{.+}}', '{path}'), complete(path, item as PathItem)] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1));
  return {
    ...rest,
    paths: Object.fromEntries(described),
    components: {
      securitySchemes: {
        token: { type: 'http', scheme: 'bearer', description: 'keepsake token create' },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: 'keepsake-<port>',
          description: 'From a one-time link',
        },
      },
      responses: {
        Problem: {
          description: 'What went wrong, and what to do',
          content: { 'application/problem+json': { schema: problemSchema() } },
        },
      },
    },
  };
}

type PathItem = Record<string, Operation>;

function complete(path: string, item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([method, operation]) => {
        const scope = scopeNeeded(method.toUpperCase(), path);
        return [
          method,
          {
            ...operation,
            responses: { ...operation.responses, default: { $ref: '#/components/responses/Problem' } },
            security: scope === null ? [] : [{ token: [scope] }, { session: [] }],
          },
        ];
      }),
  );
}

function problemSchema(): object {
  const { $schema: _, ...schema } = z.toJSONSchema(api.problem);
  return schema;
}
