import { z } from 'zod';
import { shownPath } from './fields.ts';

export const projects = z.object({
  projects: z
    .array(
      z.object({
        name: z.string(),
        title: z.string().describe('First heading of its description, otherwise the name of its folder'),
        path: shownPath,
        status: z.string().nullable().describe('First line of its state note'),
        deadline: z
          .object({ day: z.iso.date(), task: z.string() })
          .nullable()
          .describe('The next deadline of an open task'),
        updated: z.string().nullable().describe('Local modification time of its most recent note'),
      }),
    )
    .describe('Most recently changed first; a very long list is truncated'),
});
