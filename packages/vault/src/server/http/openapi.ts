import { z } from 'zod';
import { api } from '../../contract/index.ts';
import { requiredScope } from '../auth/required-scope.ts';
import type { HttpApp } from './request-env.ts';

type Operation = { responses: Record<string, unknown>; security?: unknown };

/** Builds the OpenAPI document in a stable order, and adds the parts that all routes have in common. */
export function buildOpenApiDocument(app: HttpApp, version: string): Record<string, unknown> {
  const { paths = {}, ...rest } = app.getOpenAPI31Document({
    openapi: '3.1.0',
    info: {
      title: 'Keepsake',
      version,
      description: 'A vault of plain Markdown files over HTTP. Errors are problem documents (RFC 9457).',
    },
  });
  const described = Object.entries(paths)
    .map(
      ([path, item]) =>
        [path.replace('{path{.+}}', '{path}'), completeOperations(path, item as PathItem)] as const,
    )
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
          description: 'Created by a one-time link',
        },
      },
      responses: {
        Problem: {
          description: 'What happened and what to do',
          content: { 'application/problem+json': { schema: problemSchema() } },
        },
      },
    },
  };
}

type PathItem = Record<string, Operation>;

function completeOperations(path: string, item: PathItem): PathItem {
  return Object.fromEntries(
    Object.entries(item)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([method, operation]) => {
        const scope = requiredScope(method.toUpperCase(), path);
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
