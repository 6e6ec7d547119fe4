export { createCatalogue } from './catalogue.ts';
export { fileIn, folderIn } from './folder-in.ts';
export type { Catalogue } from './catalogue.ts';
export { catalogueVersion, createCatalogueStore } from './catalogue-store.ts';
export type { CatalogueStore } from './catalogue-store.ts';
export type { FileEntry, FolderEntry } from './entry.ts';
export { VaultError } from './error.ts';
export { filePathsBelow, filesBelow, foldersBelow } from './files-below.ts';
export { foldSource } from './fold.ts';
export type { FoldedItem } from './fold.ts';
export { readImageHeader, imageHeaderBytes } from './image.ts';
export { headLines, parseLineRange, rangeLines, tailLines, wholeLines } from './lines.ts';
export type { LineRange } from './lines.ts';
export { openRoot } from './jail.ts';
export type { VaultRoot } from './jail.ts';
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
export { block, joinBlocks } from './render/blocks.ts';
export { parseBlocks } from './render/parse-blocks.ts';
export type { ParsedBlock } from './render/parse-blocks.ts';
export { foldedLines, numberedLines, numberWidth } from './render/numbered-lines.ts';
export { count, showBytes, showTime, showTokens } from './render/quantities.ts';
export { fileRow, renderTree } from './render/tree.ts';
export { treeWithin } from './render/tree-within.ts';
export type { RenderedTree } from './render/tree-within.ts';
export { revisionOf } from './revision.ts';
export type { Revision } from './revision.ts';
export { describeBinary, largestText } from './text.ts';
export { readFile } from './read-file.ts';
export type { FileRead } from './read-file.ts';
export { createView, viewOf } from './view.ts';
export type { ViewedFile, VaultView } from './view.ts';
export { identityFolder, readIdentity } from './identity.ts';
export { adoptVault, initVault, renewIdentity } from './init.ts';
export { rootFileText } from './root-files.ts';
export type { Language } from './root-files.ts';
export { findFrontmatter, frontmatterValue, setStamps, tokensOf } from './frontmatter.ts';
export { splitLines } from './lines.ts';
export { decodeText } from './text.ts';
export { kindOf } from './kind.ts';
export { unifiedDiff } from './render/diff.ts';
export {
  endingOf,
  freeName,
  isPortable,
  portableStem,
  portableTitle,
  withoutEnding,
} from './portable-name.ts';
export { rule, startOutline } from './outline.ts';
export { findStatus, replaceStatus, statusLines } from './status-block.ts';
export { pauseEvery } from './pause-every.ts';
export { readStart, bytesSource } from './byte-source.ts';
export { systemCode } from './error.ts';
export { enterChild, holdRoot, lstatChild, spellingIn, enter, closing, namesIn } from './jail.ts';
export type { OpenFolder } from './jail.ts';
export { measureBytes } from './measure.ts';
export type { Viewed } from './view.ts';
export { isCurrent } from './entry.ts';
export { largestFrontmatter, stampedAt, withStampsOf } from './frontmatter.ts';
export {
  bucketFor,
  bucketPath,
  changelogPath,
  inboxPath,
  isChangelog,
  isFixed,
  isInBucket,
  isInInbox,
  isOverview,
  isProfile,
  isSearchable,
  isTaskList,
  isTree,
  itemAskedIn,
  mayHoldDocument,
  openItems,
  originalName,
  overviewPath,
  profilePath,
  projectOf,
  reviewName,
  treePath,
} from './layout.ts';
export { portableProblem } from './portable-path.ts';
