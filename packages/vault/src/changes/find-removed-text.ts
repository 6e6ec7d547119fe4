import { copyForThread, createLayout, runInThread } from '../vault/index.ts';
import type { Layout, LayoutNames, VaultPath } from '../vault/index.ts';
import { contentAfter, contentBefore, createFileChange } from './change.ts';
import type { FileChange } from './change.ts';
import { comparisonWorker, toBuffer } from './comparison.ts';
import { findRemovedText } from './removed-text.ts';
import type { RemovedText } from './removed-text.ts';

/** Contains only plain data, so that it can be sent to a worker. */
export type RemovalRequest = {
  kind: 'removal';
  names: LayoutNames;
  files: { path: VaultPath; before: Uint8Array | null; after: Uint8Array | null }[];
};

/** Above this limit the texts are compared in a worker; see `createComparer`. */
const maxInlineBytes = 500_000;

/** Like `findRemovedText`, without blocking the event loop. */
export async function findRemovedTextAsync(
  changes: readonly FileChange[],
  layout: Layout,
): Promise<RemovedText[]> {
  const contents = changes.flatMap((change) => [contentBefore(change), contentAfter(change)]);
  const bytes = contents.reduce((sum, content) => sum + (content?.length ?? 0), 0);
  // New files remove nothing.
  if (bytes <= maxInlineBytes || changes.every(({ kind }) => kind === 'create'))
    return findRemovedText(changes, layout);
  const files = changes.map((change) => ({
    path: change.path,
    before: copyForThread(contentBefore(change)),
    after: copyForThread(contentAfter(change)),
  }));
  const request: RemovalRequest = { kind: 'removal', names: layout.names, files };
  return runInThread(
    comparisonWorker,
    request,
    files.flatMap(({ before, after }) => [before, after]),
  );
}

/** Answers a request in the worker. */
export function answerRemovalRequest({ names, files }: RemovalRequest): RemovedText[] {
  const changes = files.flatMap(
    ({ path, before, after }) => createFileChange(path, toBuffer(before), toBuffer(after)) ?? [],
  );
  return findRemovedText(changes, createLayout(names));
}
