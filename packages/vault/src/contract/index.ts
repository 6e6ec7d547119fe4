export { KeepsakeError, describeError, reasonFrom } from './keepsake-error.ts';
export type { KeepsakeErrorOptions } from './keepsake-error.ts';
export * as api from './api.ts';
export type { Who } from './api/history.ts';
export type { ConflictingFile, ProblemCode } from './api/problem.ts';
export { explainInvalidDay, isDay } from './calendar-day.ts';
export type { Clock } from './clock.ts';
export { daySchema } from './day-schema.ts';
export { diffLines, internLines } from './diff-lines.ts';
export type { Edit } from './diff-lines.ts';
export { keepsakeEventSchema } from './events.ts';
export type { EmitEvent, KeepsakeEvent } from './events.ts';
export { createFairQueue } from './fair-queue.ts';
export { foldLines, maxUnfoldedLines } from './fold-lines.ts';
export type {
  ForgetEffect,
  ForgetPassage,
  ForgetPlace,
  ForgetPlan,
  ForgetReceipt,
  ForgetStoreName,
  ForgetTarget,
  Forgetting,
  PlannedPlace,
  UnreachablePlace,
} from './forget.ts';
export { formatForgetPlan, formatForgetReceipt, formatPassages } from './format-forget.ts';
export type { ForgetLine } from './format-forget.ts';
export { formatReceipt } from './format-receipt.ts';
export { formatToday } from './format-today.ts';
export { createLimiter } from './limiter.ts';
export {
  createLinkResolver,
  resolveWikilinkTargets,
  resolvePathTarget,
  resolvePath,
  lastSegment,
  linkKey,
  relativePath,
} from './link-resolver.ts';
export type { LinkResolver } from './link-resolver.ts';
export { monthNames, weekdayNames } from './date-names.ts';
export { formatLocalTime, parseLocalTime } from './local-time.ts';
export type { LocalTime } from './local-time.ts';
export { parseLinks, parseLinkDestination, parseWikilinks } from './markdown-links.ts';
export type { MarkdownLink } from './markdown-links.ts';
export { diff3 } from './diff3.ts';
export { readSentence } from './read-sentence.ts';
export { fromStoredReason, reason } from './reason-schema.ts';
export {
  isModelUnavailable,
  otherReason,
  formatReason,
  parseForgetReason,
  toStoredReason,
} from './reasons.ts';
export type { Reason, ReasonCode, StoredReason } from './reasons.ts';
export { rewriteLinks } from './rewrite-links.ts';
export type { Moves } from './rewrite-links.ts';
export { hasAnchor, headingId, sectionOf } from './section-of.ts';
export { findPages, formatPageHeading } from './document-pages.ts';
export { reduceSteps } from './agent-steps.ts';
export type { Step } from './agent-steps.ts';
export { parseTaskFields } from './task-fields.ts';
export { addDays, createTimeZone, isTimeZone } from './time-zone.ts';
export type { TimeZone } from './time-zone.ts';
export {
  changeOutput,
  concatOutput,
  readOutput,
  searchOutput,
  todayOutput,
  treeOutput,
} from './tool-results.ts';
export type {
  ChangeValue,
  ConcatValue,
  PathError,
  ReadValue,
  ReplacedValue,
  TodayValue,
} from './tool-results.ts';
export { parseScopedQuestion, questionFolder, setQuestionFolder } from './scoped-question.ts';
export { assertWithinLimits, LimitError, vaultLimits } from './vault-limits.ts';
export type { LimitName, GetLimits, VaultLimits, VaultSize } from './vault-limits.ts';
export { answer, inboxChoice, isUnproven, updatePayload, updateResult, updateSession } from './updates.ts';
export type {
  Answer,
  FoundPassage,
  InboxChoice,
  Receipt,
  ReceiptFile,
  UpdatePayload,
  UpdateFile,
  UpdateInput,
  UpdateResult,
  UpdateSession,
} from './updates.ts';
