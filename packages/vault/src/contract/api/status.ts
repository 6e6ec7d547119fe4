import { z } from 'zod';
import { keepsakeEvent } from '../events.ts';
import { reason } from '../reasons.ts';
import { at, role } from './fields.ts';

export const event = keepsakeEvent;

export const status = z.object({
  vault: z.string(),
  role: role.nullable().describe('Of the person who asks; null for a program'),
  version: z.string(),
  timeZone: z
    .string()
    .describe('Of the server, as Europe/Paris: times without a zone, such as stamps, are times there'),
  index: z.object({
    comparedAt: at.nullable().describe('When index and files were last compared; null before that'),
    files: z.int(),
    sections: z.int(),
    vectors: z
      .object({
        sections: z.int().describe('Those that a model may see'),
        missing: z.int().describe('How many of them have no vectors yet'),
        problem: z.string().nullable().describe('Why the last attempt to make them failed'),
      })
      .nullable()
      .describe('For search by meaning; null when no embedding model is chosen'),
  }),
  queue: z.object({ waiting: z.int(), running: z.int(), parked: z.int() }),
  models: z.object({
    agents: z.string().nullable().describe('Null when there is none'),
    problem: reason.nullable().describe('Why there is none, and what to do'),
  }),
  spend: z
    .object({ tokens: z.int(), cost: z.number().nullable().describe('Null where no price is known') })
    .describe('Of today'),
  layout: z
    .object({
      overview: z.string(),
      changelog: z.string(),
      tasks: z.string(),
      projects: z.string(),
      problem: z.string().nullable().describe('Why the names that the vault has chosen do not count'),
    })
    .describe('What the vault calls these files and this folder'),
  loss: z
    .object({ id: z.string().describe('Of the change; undo brings them back'), at, files: z.int() })
    .nullable()
    .describe(
      'Files that were gone at once lately, not by Keepsake, and are not back; null when there are none',
    ),
});

/** Of a server with several vaults. */
export const vaultNames = z.object({ vaults: z.array(z.string().describe('As it stands in addresses')) });
export const health = z.object({ status: z.literal('ok'), version: z.string() });
