import type { ComponentType } from 'react';

/** Renders a note that is embedded in another one. */
export type EmbeddedNote = ComponentType<{ body: string; path: string; ancestors: readonly string[] }>;

/** The context in which a note is rendered. */
export type NoteContext = {
  path: string;
  /** The notes that it is embedded in, outermost first. */
  ancestors: readonly string[];
  /** The component for notes that it embeds. */
  inner: EmbeddedNote;
  /** Undefined if tasks are read-only. */
  onToggleTask?: ((line: number, isDone: boolean) => Promise<void>) | undefined;
};
