import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';
import { simplifyJsonSchema } from '../../models/index.ts';

type Json = Record<string, unknown>;
type JsonSchemaOf<Schema extends z.ZodType> = StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>>;

/** Caches the JSON Schema: generating it takes longer than most calls, and a server may exist for a single call. */
export function memoizeJsonSchema<Schema extends z.ZodType>(schema: Schema): JsonSchemaOf<Schema> {
  return withJsonSchema(schema, (json) => json);
}

/**
 * An input schema in the subset of JSON Schema that every client supports. Null is accepted for an omitted value but
 * not advertised, because some clients reject union types. `advertised` may leave out fields that have no effect.
 */
export function portableInput<Schema extends z.ZodType>(
  schema: Schema,
  advertised: z.ZodType = schema,
): JsonSchemaOf<Schema> {
  return withJsonSchema(schema, simplifyJsonSchema, advertised);
}

/** Accepts every value, for schemas whose values are validated elsewhere. */
export function skipValidation(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  return { '~standard': { ...schema['~standard'], validate: (value) => ({ value }) } };
}

function withJsonSchema<Schema extends z.ZodType>(
  schema: Schema,
  simplify: (json: Json) => Json,
  advertised: z.ZodType = schema,
): JsonSchemaOf<Schema> {
  const { jsonSchema: _, ...standard } = schema['~standard'];
  const { jsonSchema } = advertised['~standard'];
  const known = new Map<'input' | 'output', Json>();
  const translate =
    (direction: 'input' | 'output'): (typeof jsonSchema)['input'] =>
    (options) => {
      const json = known.get(direction) ?? simplify(jsonSchema[direction](options));
      known.set(direction, json);
      return json;
    };
  return {
    '~standard': { ...standard, jsonSchema: { input: translate('input'), output: translate('output') } },
  };
}
