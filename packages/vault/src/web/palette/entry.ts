import type { LucideIcon } from 'lucide-react';

/** A row of the palette, and what it does. */
export type Entry = {
  id: string;
  group: string;
  /** For what is no file. */
  sign?: LucideIcon;
  title?: string;
  hint?: string | undefined;
  path?: string;
  /** Where the words are. */
  line?: number;
  /** Numbered source lines. */
  excerpt?: string;
  words?: string;
  /** Said below the excerpt. */
  notes?: readonly string[];
  run: () => void;
};
