import type { z } from 'zod';

/** Path prefix of every route of a vault. */
export const vaultBasePath = '/api/vaults/{vault}';

/** A JSON response or body. */
export function jsonContent<Schema extends z.ZodType>(schema: Schema, description: string) {
  return { description, content: { 'application/json': { schema } } };
}

/** A required JSON body. */
export function jsonBody<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** A response that is described only by its media type. */
export function binaryContent<MediaType extends string>(mediaType: MediaType, description: string) {
  const content = { [mediaType]: { schema: { type: 'string' as const } } } as Record<
    MediaType,
    { schema: { type: 'string' } }
  >;
  return { description, content };
}
