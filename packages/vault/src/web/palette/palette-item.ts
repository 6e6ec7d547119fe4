import type { LucideIcon } from 'lucide-react';

/** A row of the palette and its action. */
export type PaletteItem = {
  id: string;
  group: string;
  /** For rows that are not files. */
  icon?: LucideIcon;
  title?: string;
  hint?: string | undefined;
  path?: string;
  /** The line of the best match. */
  line?: number;
  /** Numbered source lines. */
  excerpt?: string;
  words?: string;
  /** Shown below the excerpt. */
  notes?: readonly string[];
  run: () => void;
};
