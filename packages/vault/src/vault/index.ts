export { bytesSource, readStart } from './byte-source.ts';
export { catalogueVersion, createCatalogueStore } from './catalogue-store.ts';
export type { CatalogueStore } from './catalogue-store.ts';
export { createCatalogue } from './catalogue.ts';
export type { Catalogue } from './catalogue.ts';
export { changelogEntries, dayOf } from './changelog.ts';
export type { ChangelogEntry } from './changelog.ts';
export { originalByName } from './conflict-copies.ts';
export type { ConflictCopy } from './conflict-copies.ts';
export { markedConflicts } from './conflict-markers.ts';
export type { MarkedConflict } from './conflict-markers.ts';
export { defineFormat } from './durable-format.ts';
export { isCurrent, linkNamesIn } from './entry.ts';
export type { FileEntry, FolderEntry } from './entry.ts';
export { isDamage, isOfTheDisk, systemCode, VaultError } from './error.ts';
export { filePathsBelow, filesBelow, foldersBelow } from './files-below.ts';
export { foldSource } from './fold.ts';
export type { FoldedItem } from './fold.ts';
export { fileIn, folderIn } from './folder-in.ts';
export {
  bodyOf,
  findFrontmatter,
  frontmatterValue,
  hasStamps,
  largestFrontmatter,
  setTimes,
  stampedAt,
  statedCreation,
  withoutStamps,
  withStampsOf,
  withTokens,
  yamlOf,
} from './frontmatter.ts';
export {
  frontmatterRule,
  identityFile,
  identityFolder,
  isLaidOut,
  parseIdentity,
  readIdentity,
} from './identity.ts';
export type { VaultIdentity } from './identity.ts';
export { layoutReader } from './layout-reader.ts';
export { imageHeaderBytes, imageLine, notAnImage, readImageHeader } from './image.ts';
export { adoptVault, initVault, joinVault, renewIdentity } from './init.ts';
export type { Initialised } from './init.ts';
export { closing, enter, enterChild, holdRoot, lstatChild, namesIn, openRoot, spellingIn } from './jail.ts';
export type { OpenFolder, VaultRoot } from './jail.ts';
export { kindOf } from './kind.ts';
export {
  bucketPath,
  inboxPath,
  isInInbox,
  isInstructions,
  isProfile,
  isTree,
  itemAskedIn,
  openItems,
  originalName,
  profilePath,
  reviewName,
  treePath,
  usualLayout,
} from './layout.ts';
export type { Layout, LayoutNames } from './layout.ts';
export { layoutFrom } from './layout-names.ts';
export { headLines, parseLineRange, rangeLines, splitLines, tailLines, wholeLines } from './lines.ts';
export type { LineRange } from './lines.ts';
export { fieldParts, linesOfParts, listParts } from './list-parts.ts';
export type { ListPart } from './list-parts.ts';
export { measureBytes } from './measure.ts';
export { rule, startOutline } from './outline.ts';
export {
  belowRoot,
  childPath,
  escapeInvisible,
  nameOf,
  parentPath,
  parseVaultPath,
  partsOf,
  rootPath,
  showFolder,
  showInput,
  showPath,
} from './path.ts';
export type { VaultPath } from './path.ts';
export { pauseEvery } from './pause-every.ts';
export {
  endingOf,
  freeName,
  isPortable,
  portableStem,
  portableTitle,
  slugOf,
  withoutEnding,
} from './portable-name.ts';
export { originalOf, withOriginal } from './original.ts';
export { ownWords } from './own-words.ts';
export { portableProblem } from './portable-path.ts';
export { readFile } from './read-file.ts';
export type { FileRead } from './read-file.ts';
export { block, joinBlocks } from './render/blocks.ts';
export { omittedDiff, unifiedDiff } from './render/diff.ts';
export { foldedLines, numberedLines, numberWidth, showLine } from './render/numbered-lines.ts';
export { parseBlocks } from './render/parse-blocks.ts';
export type { ParsedBlock } from './render/parse-blocks.ts';
export { count, showBytes, showTime, showTokens } from './render/quantities.ts';
export { treeWithin } from './render/tree-within.ts';
export type { RenderedTree } from './render/tree-within.ts';
export { fileRow, renderTree } from './render/tree.ts';
export { createReplacedFinder, replacedNowhere } from './replaced-entries.ts';
export type { FindReplaced, ReplacedEntry } from './replaced-entries.ts';
export { revisionOf } from './revision.ts';
export type { Revision } from './revision.ts';
export { rootFileText } from './root-files.ts';
export type { Language } from './root-files.ts';
export { findStatus, replaceStatus, statusLines } from './status-block.ts';
export { tasksIn } from './tasks.ts';
export {
  decodeInput,
  decodeText,
  describeBinary,
  encodingOf,
  hasManyControls,
  largestText,
  textProblem,
  withoutEnd,
} from './text.ts';
export { createView, viewOf } from './view.ts';
export type { VaultView, Viewed, ViewedFile } from './view.ts';
