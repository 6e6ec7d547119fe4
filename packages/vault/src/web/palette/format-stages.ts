import type { SearchResponse } from '../api/files-api.ts';
import type { Text } from '../text/en.ts';

/** The search stages that ran. */
export function formatStages({ stages }: Pick<SearchResponse, 'stages'>, text: Text['palette']): string {
  if (stages.every((stage) => stage === 'lexical')) return text.keywordSearch;
  return text.ran(stages.map((stage) => text.stages[stage]).join(', '));
}

/** Why a deep search was incomplete. Without search by meaning, the other reasons are secondary. */
export function formatDegraded(
  { stages, degraded }: Pick<SearchResponse, 'stages' | 'degraded'>,
  text: Text['palette'],
): readonly string[] {
  return degraded.length > 0 && !stages.includes('vector') ? [text.keywordsOnly] : degraded;
}
