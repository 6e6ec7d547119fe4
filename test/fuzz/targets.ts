import type { Target } from './target.ts';

/** Loads targets on demand: one that only parses text does not need the server and runs faster. */
export const targets: Record<string, () => Promise<Target>> = {
  paths: async () => (await import('./text-targets.ts')).paths,
  frontmatter: async () => (await import('./text-targets.ts')).frontmatter,
  outline: async () => (await import('./text-targets.ts')).outline,
  links: async () => (await import('./text-targets.ts')).links,
  blocks: async () => (await import('./text-targets.ts')).blocks,
  diff: async () => (await import('./diff-target.ts')).diff,
  csv: async () => (await import('./document-targets.ts')).csv,
  calendar: async () => (await import('./document-targets.ts')).calendar,
  email: async () => (await import('./document-targets.ts')).email,
  html: async () => (await import('./document-targets.ts')).html,
  pdf: async () => (await import('./document-targets.ts')).pdf,
  multipart: async () => (await import('./service-targets.ts')).multipart,
  rpc: async () => (await import('./service-targets.ts')).rpc,
};
