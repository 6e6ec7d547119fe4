type Json = Record<string, unknown>;

/**
 * Removes what costs tokens and helps no model: null as a choice, which is accepted but not advertised because some
 * clients reject union types, the bounds of safe integers, the pattern of a format that is named, and the dialect, which is the
 * default of MCP. Inputs are validated by the whole schema.
 */
export function simplifyJsonSchema(schema: Json): Json {
  const { $schema: _, ...rest } = schema;
  return simplify(rest) as Json;
}

function simplify(json: unknown): unknown {
  if (Array.isArray(json)) return json.map(simplify);
  if (typeof json !== 'object' || json === null) return json;
  const { anyOf, type, ...rest } = json as Json & { anyOf?: Json[] };
  const choices = anyOf?.filter((choice) => choice['type'] !== 'null');
  const types = Array.isArray(type) ? type.filter((each) => each !== 'null') : [type];
  const whole: Json = {
    ...(types[0] !== undefined && { type: types.length === 1 ? types[0] : types }),
    ...(choices !== undefined && (choices.length === 1 ? choices[0] : { anyOf: choices })),
    ...rest,
  };
  const isNamed = typeof whole['format'] === 'string';
  const entries = Object.entries(whole).filter(([key, value]) => {
    if (isNamed && (key === 'pattern' || key === 'contentEncoding') && typeof value === 'string')
      return false;
    return typeof value !== 'number' || Math.abs(value) !== Number.MAX_SAFE_INTEGER;
  });
  return Object.fromEntries(entries.map(([key, value]) => [key, simplify(value)]));
}
