import { z } from 'zod';
import { treeOutput } from '../tool-results.ts';
import { held, shownPath } from './fields.ts';

export const toolRequest = z.strictObject({
  input: z.unknown(),
  reader: z
    .enum(['model', 'person'])
    .default('model')
    .describe('Results for a person are not limited in size'),
  door: z
    .enum(['tools', 'mcp', 'command-line'])
    .optional()
    .describe('How the result refers to other tools: tree, vault_tree or keepsake tree'),
  origin: z.string().min(1).max(100).optional().describe('Name of the caller, for history'),
  run: z
    .string()
    .min(1)
    .max(100)
    .optional()
    .describe('Calls of the same run share the lines that were shown'),
  id: z
    .guid()
    .toLowerCase()
    .optional()
    .describe('Idempotency key and id of the resulting change, in lower case'),
  revision: z.string().max(100).optional().describe('Known revision of the file, for calls outside of a run'),
  isConfirmed: z.boolean().optional().describe('Whether a person has confirmed a large removal'),
});
const image = z.object({ path: shownPath, mediaType: z.string(), data: z.base64() });
const errors = treeOutput.shape.errors;

export const toolOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('result'),
    result: z.object({ text: z.string(), images: z.array(image), value: z.looseObject({ errors }) }),
    held,
  }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
]);
