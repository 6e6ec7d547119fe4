import { z } from 'zod';
import { daySchema } from '../day-schema.ts';
import { todayOutput } from '../tool-results.ts';

export const todayQuery = z.object({
  day: daySchema.optional().describe('Default: today, in the time zone of the server'),
});
export const today = todayOutput.omit({ errors: true });
export const calendarQuery = z.object({
  token: z.string().optional().describe('A token with the scope calendar, instead of other credentials'),
});
