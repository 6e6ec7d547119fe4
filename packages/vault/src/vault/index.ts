export { createFolders } from './create-folders.ts';
export { createBufferSource, createFileSource, readPrefixSync } from './byte-source.ts';
export { catalogueVersion, createCatalogueStore } from './catalogue-store.ts';
export type { CatalogueStore } from './catalogue-store.ts';
export { createCatalogue } from './catalogue.ts';
export type { Catalogue } from './catalogue.ts';
export { effectiveDay, eventDay, parseChangelog, parseDay } from './changelog.ts';
export type { ChangelogEntry } from './changelog.ts';
export { listPossibleOriginals, originalFromName } from './conflict-copies.ts';
export type { ConflictCopy } from './conflict-copies.ts';
export { parseConflictMarkers, resolveConflictMarkers } from './conflict-markers.ts';
export type { ConflictMarkers } from './conflict-markers.ts';
export { readDailyNotesSetting } from './daily-notes-setting.ts';
export { statesDoneDay } from './obsidian-setting.ts';
export { defineFormat } from './durable-format.ts';
export { matchesStats, extractLinkKeys, maxInMemoryBytes } from './file-record.ts';
export type { FileEntry, FolderEntry } from './file-record.ts';
export { isDatabaseCorrupt, isDiskError, errorCode, VaultError } from './vault-error.ts';
export { walkFilePaths, walkFiles, walkFolders } from './walk-files.ts';
export { foldMarkdown } from './fold.ts';
export type { FoldedItem } from './fold.ts';
export { findFile, findFolder } from './find-entry.ts';
export {
  extractBody,
  findFrontmatter,
  getFrontmatterValue,
  listFrontmatterValues,
  hasStamps,
  maxFrontmatterCharacters,
  setTimes,
  applyStamps,
  parseCreationTime,
  stripStamps,
  copyStamps,
  updateTokens,
  extractYaml,
  parseYaml,
} from './frontmatter.ts';
export {
  frontmatterRule,
  identityFile,
  identityFolder,
  isScaffolded,
  parseIdentity,
  readIdentity,
  readLanguage,
} from './identity.ts';
export type { VaultIdentity } from './identity.ts';
export { createLayoutReader } from './layout-reader.ts';
export { maxImageHeaderBytes, formatImageLine, notAnImageMessage, readImageHeader } from './image-header.ts';
export { adoptVault, initVault, joinVault, regenerateIdentity } from './init.ts';
export type { InitResult } from './init.ts';
export {
  closeAfter,
  openPath,
  openChild,
  openRootFolder,
  lstatChild,
  readNames,
  resolveRoot,
  resolveDiskName,
} from './open-path.ts';
export type { OpenFolder, VaultRoot } from './open-path.ts';
export { fsyncFolder } from './fsync-folder.ts';
export { once } from './once.ts';
export { retryCallWhileBusy, retryWhileBusy } from './retry-while-busy.ts';
export { darwinCalls } from './darwin-calls.ts';
export type { ProcessUsage } from './process-usage.ts';
export { windowsCalls, windowsErrors } from './windows-calls.ts';
export type { WindowsCalls } from './windows-calls.ts';
export { fileKindOf } from './file-kind.ts';
export { formatDocumentLine, hasOwnLines } from './own-lines.ts';
export {
  bucketPath,
  isInstructionFile,
  isToolMemory,
  toolMemoryName,
  isProfileFile,
  isTreeFile,
  hiddenItemName,
  originalName,
  profilePath,
  reviewName,
  treePath,
  defaultLayout,
  createLayout,
} from './layout.ts';
export type { Layout, LayoutNames } from './layout.ts';
export { parseLayout } from './parse-layout.ts';
export {
  readHeadLines,
  parseLineRanges,
  readLineRange,
  splitKeepingEnds,
  splitLines,
  readTailLines,
  readAllLines,
} from './lines.ts';
export type { LineRange } from './lines.ts';
export { findPeople } from './people.ts';
export { parseFieldParts, formatParts, parseListParts } from './list-parts.ts';
export type { ListPart } from './list-parts.ts';
export { computeTextStats, computeTextStatsOf, countLines } from './text-stats.ts';
export { horizontalRulePattern, createOutlineParser } from './outline.ts';
export {
  toRelativePath,
  childPath,
  escapeInvisible,
  baseName,
  parentPath,
  parseVaultPath,
  pathSegments,
  rootPath,
  formatFolderPath,
  formatInput,
  formatPath,
} from './path.ts';
export type { VaultPath } from './path.ts';
export { createYielder } from './create-yielder.ts';
export { copyForThread, runInThread } from './run-in-thread.ts';
export {
  extensionOf,
  findFreeName,
  isPortable,
  portableStem,
  portableTitle,
  slugify,
  stripExtension,
} from './portable-name.ts';
export { readOriginal, setOriginal } from './original-field.ts';
export { extractUserText } from './user-text.ts';
export { portableProblem } from './portable-path.ts';
export { readFile } from './read-file.ts';
export type { FileRead } from './read-file.ts';
export { renderBlock, joinBlocks } from './render/blocks.ts';
export { formatOmittedDiff, unifiedDiff } from './render/diff.ts';
export {
  formatFoldedLines,
  formatLineRanges,
  formatNumberedLines,
  lineNumberWidth,
  parseNumberedLines,
  showLine,
} from './render/numbered-lines.ts';
export { parseBlocks, parseHeader, splitDocument } from './render/parse-blocks.ts';
export type { ParsedBlock } from './render/parse-blocks.ts';
export { pluralize, formatBytes, formatTime, formatTokens } from './render/format-quantities.ts';
export { renderTreeWithin } from './render/tree-within.ts';
export type { RenderedTree } from './render/tree-within.ts';
export { buildFileRow, renderTree } from './render/tree.ts';
export { findRemoteResources } from './remote-resources.ts';
export { createReplacementFinder, isOwnChangelog, listOwnChangelogs } from './replaced-entries.ts';
export type { FindReplaced, ReplacedEntry } from './replaced-entries.ts';
export { findUnresolvedReplacements, formatReference } from './unresolved-replacements.ts';
export { computeRevision } from './revision.ts';
export type { Revision } from './revision.ts';
export { rootFiles, rootFileText } from './root-files.ts';
export type { Language } from './root-files.ts';
export { findStatus, replaceStatus, wrapStatus } from './status-block.ts';
export { changeTask } from './change-task.ts';
export { hasTag, parseNoteMarks, readNoteMarks, tagKey } from './note-marks.ts';
export type { NoteMarks } from './note-marks.ts';
export { listRecentNotes } from './recent-notes.ts';
export { listTasks } from './list-tasks.ts';
export type { ListedTask, TaskFilter, TaskList } from './list-tasks.ts';
export { collectDays } from './collect-days.ts';
export type { VaultDay } from './collect-days.ts';
export { isUnfinished, parseTaskGroups, parseTasks } from './tasks.ts';
export type { NoteTasks, Task, TaskGroups } from './tasks.ts';
export { minutesBetween } from './task-marks.ts';
export { collectToday, listDatedTasks, recurrenceOf, timeFrom } from './today.ts';
export { findOccurrence, formatRecurrenceRule, occursOn, parseRecurrence } from './recurrence.ts';
export type { Today, TodayItem } from './today.ts';
export type { Recurrence } from './recurrence.ts';
export {
  decodeInput,
  decodeText,
  describeBinary,
  encodingOf,
  hasManyControls,
  maxTextBytes,
  textProblem,
  trimEndCharacters,
} from './decode-text.ts';
export { createView, createViewFrom } from './vault-view.ts';
export type { VaultView, ViewEntry, ViewFile } from './vault-view.ts';
