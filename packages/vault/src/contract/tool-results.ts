import { z } from 'zod';

const revision = z.string().describe('Short hash of the content that was read');

const pathError = z.object({
  path: z.string().describe('The path as requested or found'),
  message: z.string().describe('What is wrong and what to do next'),
});

const leftOut = z
  .array(
    z.object({ path: z.string(), lines: z.string().nullable().describe('The omitted lines; null for all') }),
  )
  .describe('Content that did not fit in one result');

const lineRange = z.object({ start: z.int(), end: z.int() });

/** Omitted for a file whose lines are its own. */
export const extractedLines = z
  .object({ pages: lineRange.nullable().describe('The pages of a PDF that the lines are on') })
  .optional()
  .describe('The lines are text extracted from a document; revision is that of the document');

export const readOutput = z.object({
  files: z.array(
    z.object({
      path: z.string(),
      revision,
      lines: z.object({ start: z.int(), end: z.int() }).nullable().describe('The lines shown; null if none'),
      totalLines: z.int(),
      tokens: z.int(),
      extracted: extractedLines,
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
    .describe('Additional information, e.g. extracted text, and files of a folder that are not text'),
  leftOut,
});

/** A changelog entry that a later entry replaces. */
const replacedEntry = z.object({
  heading: z.string(),
  lines: lineRange,
  on: z
    .string()
    .nullable()
    .describe(
      'Day on which the replacement takes effect: its from:, else its when:, else its day heading; null if it has none',
    ),
  inForce: z.boolean().optional().describe('True until that day, while the entry still holds'),
  by: z.object({ path: z.string(), line: z.int(), heading: z.string() }),
});

/** Omitted if there are none. */
export const replacedEntries = z
  .array(replacedEntry)
  .optional()
  .describe('Changelog entries in these lines that later entries replace');

export const concatOutput = z.object({
  blocks: z.array(
    z.object({
      number: z.int().describe('The position of its entry in files, from 1'),
      path: z.string(),
      start: z.int(),
      end: z.int(),
      revision,
      extracted: extractedLines,
      replaced: replacedEntries,
    }),
  ),
  errors: z.array(pathError),
  notes: z.array(z.string()).describe('Lines that moved after they were shown, and extracted text'),
  leftOut,
});

export const treeOutput = z.object({
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

const todayItem = z.object({
  path: z.string(),
  line: z.int().describe('Line number of the task in its file'),
  title: z.string(),
  day: z.iso.date().nullable().describe('Deadline, or the day it is scheduled for; null if it has none'),
  time: z.string().nullable().describe('Local time of an appointment, e.g. 14:30'),
  endTime: z.string().nullable(),
  repeat: z.string().nullable().describe('How it repeats, in the words of the note'),
  priority: z.int().describe('0 is the highest, 2 the default'),
});

export const todayOutput = z.object({
  day: z.iso.date(),
  overdue: z.array(todayItem).describe('Unfinished tasks whose day has passed'),
  due: z.array(todayItem).describe('Due on the day'),
  appointments: z.array(todayItem).describe('With a time, on the day or in the 7 days after it'),
  upcoming: z.array(todayItem).describe('Due in the 7 days after the day'),
  waiting: z.array(todayItem).describe('Tasks that wait for someone or something'),
  invalid: z
    .array(
      z.object({
        path: z.string(),
        line: z.int(),
        title: z.string(),
        day: z.string().describe('As the note states it, e.g. 2026-02-31'),
      }),
    )
    .describe('Unfinished tasks and appointments whose day does not exist'),
  later: z.array(todayItem).optional().describe('With a day after the next 7 days; omitted for models'),
  changed: z
    .array(z.object({ path: z.string(), updated: z.string().describe('Local time of the last change') }))
    .describe('Files changed on the day or the day before, newest first'),
  counts: z
    .object({
      overdue: z.int(),
      due: z.int(),
      appointments: z.int(),
      upcoming: z.int(),
      waiting: z.int(),
      invalid: z.int(),
      later: z.int().describe('Dated items after the next 7 days'),
      changed: z.int(),
    })
    .describe('Total numbers; the lists may be truncated'),
  errors: z.array(pathError),
});

const matchCounts = z.object({ notes: z.int(), lines: z.int() });

export const searchSection = z.object({
  path: z.string(),
  revision,
  lines: lineRange.describe('The lines in text: the passage and its context'),
  best: z.int().describe('The best matching line'),
  matches: z.array(z.int()).describe('The lines in text with a word of the query'),
  section: lineRange.describe('The chunk that contains the passage'),
  score: z.number().describe('0 to 1'),
  heading: z.string().describe('The headings above the best line'),
  wholeFile: z.boolean().describe('Whether the whole file except its frontmatter is shown'),
  text: z.string().describe('Source lines with their numbers'),
  extracted: extractedLines,
  when: z
    .string()
    .optional()
    .describe('Day of the event, if the changelog entry states another day than its heading'),
  from: z.string().optional().describe('Day on which the changelog entry takes effect, if it states one'),
  replaced: replacedEntries,
});

export const searchOutput = z.object({
  sections: z.array(searchSection),
  fits: z.boolean().describe('False if nothing fits the query; sections has the nearest passages'),
  matched: matchCounts.describe(
    'All notes with all words of a query, shown or not, and their lines with one of the words',
  ),
  shown: matchCounts.describe('How many of them are shown'),
  nextLimit: z.int().nullable().describe('A limit that shows more; null if none does'),
  unmetFilters: z.array(z.string()).describe('Filters that no note fits; their words are searched'),
  notes: z.array(z.string()).describe('What to know about the result'),
  stages: z.array(z.enum(['lexical', 'expansion', 'vector', 'rerank'])).describe('Stages that ran'),
  degraded: z.array(z.string()).describe('Stages that did not run, and what to do about it'),
  indexedThrough: z
    .string()
    .nullable()
    .describe('Local time at which the index was last compared with the files'),
  pending: z.int().describe('Number of changed files and documents that are not indexed yet'),
  unreadDocuments: z
    .int()
    .describe('How many of them are documents, such as PDFs, whose text is not indexed'),
  errors: z.array(pathError),
});

export const changeOutput = z.object({
  changes: z.array(
    z.object({
      path: z.string(),
      kind: z.enum(['created', 'changed', 'deleted', 'moved']),
      revision: revision.nullable().describe('Revision after the change; null if the file is deleted'),
      from: z.string().optional().describe('Previous path of a moved file'),
    }),
  ),
  links: z.int().optional().describe('Number of links updated for a move'),
  errors: z.array(pathError),
});

export type PathError = z.infer<typeof pathError>;
export type TodayItemValue = z.infer<typeof todayItem>;
export type TodayValue = z.infer<typeof todayOutput>;
export type ReadValue = z.infer<typeof readOutput>;
export type ChangeValue = z.infer<typeof changeOutput>;
export type ReplacedValue = z.infer<typeof replacedEntry>;
export type ConcatValue = z.infer<typeof concatOutput>;
