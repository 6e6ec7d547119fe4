import type { StandardSchemaWithJSON } from '@modelcontextprotocol/server';
import type { z } from 'zod';

type Json = Record<string, unknown>;
type Described<Schema extends z.ZodType> = StandardSchemaWithJSON<z.input<Schema>, z.output<Schema>>;

/** A schema that is translated once: doing it takes longer than most calls, and a server may live for one call only. */
export function describedOnce<Schema extends z.ZodType>(schema: Schema): Described<Schema> {
  return translated(schema, (json) => json);
}

/**
 * The schema of an input, in words that every client takes. Null stands for what was left out; that is accepted but not
 * told, as some have no values of two types.
 */
export function portableInput<Schema extends z.ZodType>(schema: Schema): Described<Schema> {
  return translated(schema, (json) => withoutNull(json) as Json);
}

/** Accepts everything: somebody else judges it, or has. */
export function withoutValidation(schema: StandardSchemaWithJSON): StandardSchemaWithJSON {
  return { '~standard': { ...schema['~standard'], validate: (value) => ({ value }) } };
}

function translated<Schema extends z.ZodType>(
  schema: Schema,
  simplify: (json: Json) => Json,
): Described<Schema> {
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
