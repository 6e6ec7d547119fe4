import { z } from 'zod';
import { shownPath } from './fields.ts';

export const projects = z.object({
  projects: z
    .array(
      z.object({
        name: z.string(),
        path: shownPath,
        status: z.string().nullable().describe('The first line of its state'),
        deadline: z
          .object({ day: z.iso.date(), task: z.string() })
          .nullable()
          .describe('The next one of a task that is not done'),
        updated: z.string().nullable().describe('Local time of the newest of its own notes'),
      }),
    )
    .describe('Those that were changed last come first; not all of very many'),
});
