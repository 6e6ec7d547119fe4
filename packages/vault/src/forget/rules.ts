import { z } from 'zod';
import type { Language } from '../vault/index.ts';
import { ForgetError } from './forget-error.ts';

/** Everything that decides what is removed and what replaces it. The same rules always give the same result. */
export type RedactionRules = {
  /** The texts to remove. */
  phrases: string[];
  /** Whether the sentences around the phrases are removed as well, as rules of the first version say. */
  isBySentence: boolean;
  /** Blob ids of contents that are removed as a whole. */
  contents: string[];
  /** Makes the new names of files unique, so that they say nothing about the old ones. */
  salt: string;
  language: Language;
};

const shared = { contents: z.array(z.string()), salt: z.string(), language: z.enum(['en', 'fr']) };
/** Without `version` in what was sent to other machines. */
const firstVersion = z.object({ version: z.literal(1).optional(), phrases: z.array(z.string()), ...shared });
/** The name `texts` keeps earlier versions of Keepsake from reading it and removing whole sentences. */
const secondVersion = z.object({ version: z.literal(2), texts: z.array(z.string()), ...shared });
const stored = z.union([secondVersion, firstVersion]);

/** Parses rules that `formatRules` or an earlier version wrote; null if they were not written completely. */
export function parseRules(value: unknown): RedactionRules | null {
  const parsed = stored.safeParse(value);
  if (!parsed.success) {
    const { version } = z.object({ version: z.int().default(0) }).safeParse(value).data ?? { version: 0 };
    if (version <= 2) return null;
    throw new ForgetError('unsupported', 'words were forgotten with a newer version of Keepsake', {
      hint: 'upgrade Keepsake on this machine',
    });
  }
  const { contents, salt, language } = parsed.data;
  const isBySentence = 'phrases' in parsed.data;
  const phrases = 'phrases' in parsed.data ? parsed.data.phrases : parsed.data.texts;
  return { phrases, isBySentence, contents, salt, language };
}

/** Parses rules that another machine has sent. */
export function requireRules(value: unknown): RedactionRules {
  const rules = parseRules(value);
  if (rules !== null) return rules;
  throw new ForgetError('unsupported', 'what was forgotten on another machine cannot be read', {
    hint: 'upgrade Keepsake on this machine',
  });
}

/** The stored form: JSON that keeps its meaning in later versions. */
export function formatRules({ phrases, isBySentence, ...others }: RedactionRules): object {
  return isBySentence ? { version: 1, phrases, ...others } : { version: 2, texts: phrases, ...others };
}
