import { z } from 'zod';

export const timeOfDay = z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, 'use a time such as 21:30');

/** Tidying is off unless it is configured. */
export const tidyingSettings = z
  .strictObject({
    at: timeOfDay.optional().describe('When it runs, in local time. Default: 21:00'),
    dailyCost: z.number().positive().optional().describe('What it may cost a day. Default: 0.05'),
  })
  .describe('Evening tidying: a run a day that proposes questions in the inbox. Off by default');

export const defaultTidying = { at: '21:00', dailyCost: 0.05 } as const;
