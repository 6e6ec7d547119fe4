import {
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  ResourceTemplate,
} from '@modelcontextprotocol/server';
import type { ListResourcesResult, McpServer, ReadResourceResult } from '@modelcontextprotocol/server';
import { parseVaultPath, formatPath } from '../../vault/index.ts';
import type { VaultPath } from '../../vault/index.ts';
import type { FileSummary, McpBackend } from './backend.ts';
import { parseResourceUri, formatResourceUri } from './resource-uri.ts';
import { rethrowWithHint } from './tool-errors.ts';

const pageSize = 1_000;

/** The files of the vault as resources. */
export function registerResources(server: McpServer, backend: McpBackend): void {
  const list = (cursor?: string) => rethrowWithHint(listPage(backend, cursor));
  server.registerResource(
    'file',
    new ResourceTemplate('vault://{+path}', { list: () => list() }),
    {
      title: 'Vault file',
      description: 'For example vault://projects/startup-x/state.md',
    },
    (uri) => rethrowWithHint(readResource(backend, uri)),
  );
  // The SDK lists everything in one page, but a vault may have 100,000 files.
  server.server.setRequestHandler('resources/list', ({ params }) => list(params?.cursor));
}

/** The cursor is the last path of the previous page, so that added and removed files do not shift the pages. */
async function listPage(backend: McpBackend, cursor: string | undefined): Promise<ListResourcesResult> {
  const after = cursor === undefined ? null : parseVaultPath(cursor);
  if (after?.ok === false) throw invalid('invalid cursor; start from the first page');
  const files = (await backend.listFiles()).toSorted((a, b) => compare(a.path, b.path));
  const rest = after === null ? files : files.filter(({ path }) => compare(path, after.path) > 0);
  const page = rest.slice(0, pageSize);
  const last = page.at(-1);
  return {
    resources: page.map(describe),
    ...(rest.length > page.length && last && { nextCursor: formatPath(last.path) }),
  };
}

function compare(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}

function describe({ path, updated, tokens }: FileSummary): ListResourcesResult['resources'][number] {
  const moment = updated === null ? NaN : Date.parse(updated);
  return {
    uri: formatResourceUri(path),
    name: formatPath(path),
    mimeType: mediaTypeOf(path),
    ...(tokens !== null && { description: `${tokens} tokens` }),
    ...(!Number.isNaN(moment) && { annotations: { lastModified: new Date(moment).toISOString() } }),
  };
}

const markdown = 'text/markdown';

function mediaTypeOf(path: VaultPath): string {
  const ending = path.slice(path.lastIndexOf('.') + 1).toLowerCase();
  if (ending === 'md' || ending === 'markdown') return markdown;
  return `image/${ending === 'jpg' ? 'jpeg' : ending}`;
}

async function readResource(backend: McpBackend, uri: URL): Promise<ReadResourceResult> {
  const parsed = parseResourceUri(uri);
  if (!parsed.ok) throw invalid(`${uri.href.slice(0, 200)}: ${parsed.reason}`, uri);
  const read = await backend.readFile(parsed.path);
  const shown = formatPath(parsed.path);
  switch (read.kind) {
    case 'file':
      return { contents: [await contentsOf(uri, { ...read, path: parsed.path }, backend)] };
    case 'folder':
      throw invalid(`${shown}: it is a folder; list resources or call vault_tree`, uri);
    case 'missing': {
      const closest = read.suggestion === null ? '' : `; did you mean ${formatResourceUri(read.suggestion)}?`;
      throw new ResourceNotFoundError(uri.href, `${shown}: file not found${closest}`);
    }
    case 'refused':
      throw invalid(`${shown}: ${read.reason}`, uri);
  }
}

/** The text of a document is extracted. Other files that are not text, and documents without text, are returned as a blob. */
async function contentsOf(
  uri: URL,
  { path, bytes, mediaType }: { path: VaultPath; bytes: Buffer; mediaType: string },
  backend: McpBackend,
): Promise<ReadResourceResult['contents'][number]> {
  const blob = (mimeType: string) => ({ uri: uri.href, mimeType, blob: bytes.toString('base64') });
  if (mediaType.startsWith('image/')) return blob(mediaType);
  const read = await backend.readText(path);
  const isShown = read.kind === 'text' && (mediaType.startsWith('text/') || read.extracted !== null);
  return isShown ? { uri: uri.href, mimeType: markdown, text: read.text } : blob('application/octet-stream');
}

function invalid(message: string, uri?: URL): ProtocolError {
  return new ProtocolError(ProtocolErrorCode.InvalidParams, message, uri && { uri: uri.href });
}
