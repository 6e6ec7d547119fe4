export { AdvisedError, describeError, reasonFrom } from './advised-error.ts';
export type { Advice } from './advised-error.ts';
export * as api from './api.ts';
export type { Who } from './api/history.ts';
export type { ProblemCode } from './api/problem.ts';
export type { Clock } from './clock.ts';
export { compareLines, numberLines } from './compare-lines.ts';
export type { Edit } from './compare-lines.ts';
export { keepsakeEvent } from './events.ts';
export type { Emit, KeepsakeEvent } from './events.ts';
export { inTurn } from './in-turn.ts';
export {
  createLinkTargets,
  findNames,
  findPath,
  joinPath,
  lastPart,
  linkName,
  relativePath,
} from './link-targets.ts';
export type { LinkTargets } from './link-targets.ts';
export { localTime, parseLocalTime } from './local-time.ts';
export type { LocalTime } from './local-time.ts';
export { loadedAddresses } from './loaded-addresses.ts';
export { linksIn, readAddress, wikilinksIn } from './markdown-links.ts';
export type { MarkdownLink } from './markdown-links.ts';
export { mergeRegions } from './merge-regions.ts';
export { readSentence } from './read-sentence.ts';
export { fromStoredReason, otherReason, reason, reasonFor, toStoredReason } from './reasons.ts';
export type { Reason, ReasonCode, StoredReason } from './reasons.ts';
export { rewriteLinks } from './rewrite-links.ts';
export type { Moves } from './rewrite-links.ts';
export { hasAnchor, headingId, sectionOf } from './section-of.ts';
export { followSteps } from './steps.ts';
export type { Step } from './steps.ts';
export { taskParts } from './task-parts.ts';
export { addDays, createTimeZone } from './time-zone.ts';
export type { TimeZone } from './time-zone.ts';
export { changeValue, concatValue, readValue, searchValue, treeValue } from './tool-results.ts';
export type { ChangeValue, ConcatValue, PathError, ReadValue, ReplacedValue } from './tool-results.ts';
export { checkGrowth, LimitError, vaultLimits } from './vault-limits.ts';
export type { LimitName, ReadLimits, VaultLimits, VaultSize } from './vault-limits.ts';
export { answer, sentUpdate, updateResult } from './updates.ts';
export type { Answer, SentUpdate, UpdateFile, UpdateInput, UpdateResult } from './updates.ts';
