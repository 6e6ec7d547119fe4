import { z } from 'zod';

const revision = z.string().describe('Short hash of the content, as it was read');

const pathError = z.object({
  path: z.string().describe('The path as it was given or found'),
  message: z.string().describe('What is wrong and what to do next'),
});

const leftOut = z
  .array(
    z.object({ path: z.string(), lines: z.string().nullable().describe('The lines left out; null for all') }),
  )
  .describe('What did not fit in one result');

export const readValue = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      revision,
      lines: z.object({ start: z.int(), end: z.int() }).nullable().describe('The lines shown; null for none'),
      totalLines: z.int(),
      tokens: z.int(),
    }),
  ),
  images: z.array(
    z.object({
      path: z.string(),
      revision,
      mediaType: z.string(),
      width: z.int(),
      height: z.int(),
      bytes: z.int(),
    }),
  ),
  errors: z.array(pathError),
  notes: z
    .array(z.string())
    .describe('What is to be known besides, such as files of a folder that are no text'),
  leftOut,
});

const lineRange = z.object({ start: z.int(), end: z.int() });

/** An entry of a changelog that a later one says it replaces. */
const replacedEntry = z.object({
  heading: z.string(),
  lines: lineRange,
  on: z.string().nullable().describe('The day of what replaces it; null where it has none'),
  by: z.object({ path: z.string(), line: z.int(), heading: z.string() }),
});

/** Left out where there is none. */
export const replacedEntries = z
  .array(replacedEntry)
  .optional()
  .describe('Entries of a changelog among these lines that later ones replace');

export const concatValue = z.object({
  blocks: z.array(
    z.object({ path: z.string(), start: z.int(), end: z.int(), revision, replaced: replacedEntries }),
  ),
  errors: z.array(pathError),
  notes: z.array(z.string()).describe('Which lines had moved since they were shown'),
  leftOut,
});

export const treeValue = z.object({
  entries: z.array(
    z.object({
      path: z.string().describe('Ends in / for a folder'),
      kind: z.enum(['file', 'folder']),
      tokens: z.int().nullable(),
      updated: z.string().nullable().describe('Local time of the last modification'),
    }),
  ),
  errors: z.array(pathError),
});

export const searchValue = z.object({
  sections: z.array(
    z.object({
      path: z.string(),
      revision,
      lines: lineRange.describe('The lines in text: the passage and its context'),
      best: z.int().describe('The line that fits best'),
      section: lineRange.describe('The section it is taken from'),
      score: z.number().describe('0 to 1'),
      heading: z.string().describe('Project, file and the headings above the best line'),
      wholeFile: z.boolean().describe('Whether all of the file but its frontmatter is shown'),
      text: z.string().describe('Source lines with their numbers'),
      replaced: replacedEntries,
    }),
  ),
  found: z.int().describe('How many there are, with those that fit less well and are not shown'),
  stages: z.array(z.enum(['lexical', 'expansion', 'vector', 'rerank'])).describe('What ran'),
  degraded: z.array(z.string()).describe('What did not run, and what to do about it'),
  indexedThrough: z.string().nullable().describe('Local time at which index and files were last compared'),
  pending: z.int().describe('Files known to have changed that are not indexed yet'),
  errors: z.array(pathError),
});

export const changeValue = z.object({
  changes: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(['created', 'changed', 'deleted', 'moved']),
      revision: revision.nullable().describe('Of the file as it will be; null when it is gone'),
      from: z.string().optional().describe('Where a moved file was'),
    }),
  ),
  links: z.int().optional().describe('How many links were rewritten to follow a move'),
  errors: z.array(pathError),
});

export type PathError = z.infer<typeof pathError>;
export type ReadValue = z.infer<typeof readValue>;
export type ChangeValue = z.infer<typeof changeValue>;
export type ReplacedValue = z.infer<typeof replacedEntry>;
export type ConcatValue = z.infer<typeof concatValue>;
