import type { ComponentType } from 'react';

/** A text that stands in another one. */
export type InnerNote = ComponentType<{ body: string; path: string; within: readonly string[] }>;

/** Where a note stands, and what can be done to it. */
export type Around = {
  path: string;
  /** The notes that it is embedded in. */
  within: readonly string[];
  /** What shows those that it embeds. */
  inner: InnerNote;
  /** Left out where tasks can only be read. */
  onTask?: ((line: number, isDone: boolean) => Promise<void>) | undefined;
};
