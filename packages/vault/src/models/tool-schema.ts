import { z } from 'zod';
import { simplifyJsonSchema } from './simplify-json-schema.ts';

/** The JSON schema of a tool's input as sent to a model. */
export function toToolSchema(input: z.ZodType): Record<string, unknown> {
  return simplifyJsonSchema(z.toJSONSchema(input, { io: 'input', unrepresentable: 'any' }));
}
