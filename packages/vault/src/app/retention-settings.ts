import { z } from 'zod';

/** How long to keep something: a number of days, weeks, months or years. */
export const retentionPeriod = z
  .string()
  .regex(/^[1-9]\d{0,3}[dwmy]$/, 'use a number with d, w, m or y, for example 90d or 2y');

/** What is not configured is kept forever. */
export const retentionSettings = z
  .strictObject({
    history: retentionPeriod.optional().describe('How long changes can be shown and undone, for example 2y'),
    queue: retentionPeriod.optional().describe('How long finished updates are listed, for example 90d'),
  })
  .describe('How long history and finished updates are kept. Default: forever');

export type RetentionSettings = z.infer<typeof retentionSettings>;

/** The start of the period that ends at `now`, in epoch milliseconds. */
export function startOfPeriod(period: string, now: number): number {
  const count = Number.parseInt(period, 10);
  const start = new Date(now);
  if (period.endsWith('y')) start.setFullYear(start.getFullYear() - count);
  else if (period.endsWith('m')) start.setMonth(start.getMonth() - count);
  else start.setDate(start.getDate() - count * (period.endsWith('w') ? 7 : 1));
  return start.getTime();
}

/** For people: `kept for 90d`. */
export function describeRetention(period: string | undefined): string {
  return period === undefined ? 'all kept' : `kept for ${period}`;
}
