import { z } from 'zod';
import { explainInvalidDay } from './calendar-day.ts';

/** A day in the input of a tool or of a route. */
export const daySchema = z.iso.date({ error: ({ input }) => explainInvalidDay(input) });
