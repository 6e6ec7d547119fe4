import { z } from 'zod';
import { treeValue } from '../tool-results.ts';
import { held, shownPath } from './fields.ts';

export const toolRequest = z.strictObject({
  input: z.unknown(),
  reader: z.enum(['model', 'person']).default('model').describe('A person has no bounds on what is shown'),
  door: z
    .enum(['tools', 'mcp', 'command-line'])
    .optional()
    .describe('How the answer is to speak of other tools: as tree, vault_tree or keepsake tree'),
  origin: z.string().min(1).max(100).optional().describe('Where it comes from, for history'),
  run: z.string().min(1).max(100).optional().describe('Calls of one run share what was read'),
  id: z
    .guid()
    .toLowerCase()
    .optional()
    .describe('Of the change, for undo; in lower case. The same id again is the same call'),
  revision: z.string().max(100).optional().describe('What the file is known to be, where there is no run'),
  isConfirmed: z.boolean().optional().describe('A person agrees to a change that removes much at once'),
});
const image = z.object({ path: shownPath, mediaType: z.string(), data: z.base64() });
const errors = treeValue.shape.errors;

export const toolOutcome = z.discriminatedUnion('kind', [
  z.object({
    kind: z.literal('result'),
    result: z.object({ text: z.string(), images: z.array(image), value: z.looseObject({ errors }) }),
    held,
  }),
  z.object({ kind: z.literal('refused'), message: z.string() }),
]);
