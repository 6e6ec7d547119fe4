import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

type Json = Record<string, unknown>;
type JsonSchemaOf<Schema extends z.ZodType> = StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>>;

/** Caches the JSON Schema: generating it takes longer than most calls, and a server may exist for a single call. */
export function memoizeJsonSchema<Schema extends z.ZodType>(schema: Schema): JsonSchemaOf<Schema> {
  return withJsonSchema(schema, (json) => json);
}

/**
 * An input schema in the subset of JSON Schema that every client supports. Null is accepted for an omitted value but
 * not advertised, because some clients reject union types.
 */
export function portableInput<Schema extends z.ZodType>(schema: Schema): JsonSchemaOf<Schema> {
  return withJsonSchema(schema, (json) => withoutNull(json) as Json);
}

/** Accepts every value, for schemas whose values are validated elsewhere. */
export function skipValidation(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  return { '~standard': { ...schema['~standard'], validate: (value) => ({ value }) } };
}

function withJsonSchema<Schema extends z.ZodType>(
  schema: Schema,
  simplify: (json: Json) => Json,
): JsonSchemaOf<Schema> {
  const { jsonSchema, ...standard } = schema['~standard'];
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

function withoutNull(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(withoutNull);
  if (typeof json !== 'object' || json === null) return json;
  const { anyOf, type, ...rest } = json as { anyOf?: Json[]; type?: unknown };
  const choices = anyOf?.filter((choice) => choice['type'] !== 'null');
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [type];
  const whole = {
    ...(types[0] !== undefined && { type: types.length === 1 ? types[0] : types }),
    ...(choices !== undefined && (choices.length === 1 ? choices[0] : { anyOf: choices })),
    ...rest,
  };
  const entries = Object.entries(whole).filter(
    ([, value]) => typeof value !== 'number' || Math.abs(value) !== Number.MAX_SAFE_INTEGER,
  );
  return Object.fromEntries(entries.map(([key, value]) => [key, withoutNull(value)]));
}
