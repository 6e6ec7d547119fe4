import type { z } from 'zod';

/** Before every route of a vault. */
export const base = '/api/vaults/{vault}';

/** A response, or a body, in JSON. */
export function json<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

/** A body that must be there. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** A response whose bytes are described by their media type alone. */
export function bytes<MediaType extends string>(mediaType: MediaType, description: string) {
  const content = { [mediaType]: { schema: { type: 'string' as const } } } as Record<
    MediaType,
    { schema: { type: 'string' } }
  >;
  return { description, content };
}
