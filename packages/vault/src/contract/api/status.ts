import { z } from 'zod';
import { keepsakeEventSchema } from '../events.ts';
import { reason } from '../reason-schema.ts';
import { at, role } from './fields.ts';

export const event = keepsakeEventSchema;

export const status = z.object({
  vault: z.string(),
  role: role.nullable().describe('Role of the signed-in member; null for a token'),
  canWrite: z.boolean().describe('Whether the caller may change the vault'),
  member: z.string().nullable().describe('Name of the signed-in invited member; null for all others'),
  here: z
    .array(z.string().nullable())
    .describe(
      'Names of the other people who have the vault open in a browser, null for the owner of the machine; for people only',
    ),
  version: z.string(),
  timeZone: z
    .string()
    .describe('Time zone of the server, e.g. Europe/Paris. Times without a zone, such as stamps, are in it'),
  index: z.object({
    comparedAt: at.nullable().describe('When the index was last compared with the files; null if never'),
    files: z.int(),
    sections: z.int(),
    vectors: z
      .object({
        sections: z.int().describe('Number of chunks that models may see'),
        missing: z.int().describe('Number of those without vectors'),
        problem: z.string().nullable().describe('Why the last embedding attempt failed'),
      })
      .nullable()
      .describe('Semantic search; null if no embedding model is configured'),
  }),
  queue: z.object({ waiting: z.int(), running: z.int(), parked: z.int() }),
  models: z.object({
    agents: z.string().nullable().describe('Name of the model; null if none is available'),
    problem: reason.nullable().describe('Why no model is available, and what to do'),
  }),
  spend: z
    .object({ tokens: z.int(), cost: z.number().nullable().describe('Null if a price is unknown') })
    .describe('Model usage of today'),
  layout: z
    .object({
      overview: z.string(),
      changelog: z.string(),
      tasks: z.string(),
      projects: z.string(),
      people: z.string(),
      inbox: z.string(),
      problem: z.string().nullable().describe('Why the names configured for the vault are ignored'),
    })
    .describe('Names of these files and folders in the vault'),
  dailyNotes: z
    .object({
      folder: z.string(),
      format: z.string().describe('A date format, which may contain folders'),
      template: z.string().nullable().describe('Path of a note without its extension'),
    })
    .nullable()
    .describe('Where Obsidian creates daily notes in this vault; null if that is unknown, and for tokens'),
  loss: z
    .object({ id: z.string().describe('Id of the change; undo restores the files'), at, files: z.int() })
    .nullable()
    .describe('A recent mass deletion by another program that was not undone; null if none'),
});

/** The vaults of a server with several vaults. */
export const vaultNames = z.object({ vaults: z.array(z.string().describe('Name as used in URLs')) });
export const health = z.object({ status: z.literal('ok'), version: z.string() });
