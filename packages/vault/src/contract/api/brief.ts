import { z } from 'zod';

export const briefQuery = z.object({
  project: z
    .string()
    .optional()
    .describe('The project of the folder in which the session starts; omitted for none'),
});
export const brief = z.object({
  text: z.string().nullable().describe('What the model gets; null if there is nothing to say'),
  message: z.string().nullable().describe('The line that the user sees'),
});
