import { z } from 'zod';
import { daySchema } from '../day-schema.ts';
import { replacedEntries, searchOutput, searchSection, treeOutput } from '../tool-results.ts';
import { limit, shownPath } from './fields.ts';

export const searchRequest = z.strictObject({
  queries: z.array(z.string()).min(1).max(20),
  mode: z.enum(['fast', 'deep']).default('fast'),
  scopes: z.array(z.string()).optional().describe('Path patterns, e.g. projects/*/state.md'),
  limit: z.int().min(1).max(50).optional(),
  extent: z
    .enum(['notes', 'all', 'paths'])
    .optional()
    .describe(
      'notes: the best passage of each note. all: every match, without a limit. paths: only the paths of all notes that match, unranked',
    ),
  context: z.int().min(0).max(50).optional().describe('Number of context lines above and below'),
  dateFrom: daySchema.optional(),
  dateTo: daySchema.optional(),
});
export const searchResponse = searchOutput.extend({
  sections: z.array(
    searchSection.extend({
      day: z
        .string()
        .nullable()
        .describe('Day of the changelog entry, of the note, or of its last change, as dateFrom compares it'),
      hasAllWords: z.boolean().describe('Whether the note is one of those that matched counts'),
    }),
  ),
  paths: z.array(shownPath).optional().describe('With extent paths'),
});

export const treeQuery = z.object({
  path: z.string().optional(),
  depth: z.coerce.number().int().min(0).max(100).optional(),
  text: z.stringbool().default(true).describe('false leaves the text empty'),
});
export const treeResponse = treeOutput.extend({ text: z.string() });

export const backlinksQuery = z.object({ path: z.string(), limit });
export const backlinks = z.object({
  notes: z.array(
    z.object({ path: shownPath, line: z.int(), text: z.string().describe('The first line with a link') }),
  ),
});

export const textQuery = z.object({ path: z.string() });
export const textResponse = z.object({
  path: shownPath,
  text: z.string(),
  extracted: z
    .object({
      revision: z.string(),
      pages: z.int().nullable().describe('The number of pages of a PDF'),
      warnings: z.array(z.string()).describe('What was lost, as sentences'),
    })
    .nullable()
    .describe('If the text was extracted from a document; the revision is that of the document'),
});

export const verifyRequest = z.strictObject({ document: z.string() });
const place = { path: shownPath, start: z.int(), end: z.int() };
const range = z.object({ start: z.int(), end: z.int() });
export const verifyResponse = z.object({
  blocks: z.array(
    z.discriminatedUnion('state', [
      z.object({ ...place, state: z.literal('same'), replaced: replacedEntries }),
      z.object({ ...place, state: z.literal('moved'), now: range, replaced: replacedEntries }),
      z.object({ ...place, state: z.literal('changed'), reason: z.string() }),
    ]),
  ),
});
