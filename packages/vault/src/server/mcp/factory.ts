import { McpServer } from '@modelcontextprotocol/server';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import type { SkillCatalog } from '@modelcontextprotocol/server/ext/skills';
import { buildSkill } from '../../connect/index.ts';
import { toolName } from '../../tools/index.ts';
import { baseName, childPath, defaultLayout, fileKindOf, rootPath } from '../../vault/index.ts';
import type { Layout, VaultPath } from '../../vault/index.ts';
import { createElicitation } from './elicitation.ts';
import type { McpBackend } from './backend.ts';
import { registerFilingTools } from './filing-tools.ts';
import { registerHistoryTools } from './history-tools.ts';
import { buildInstructions } from './instructions.ts';
import { registerMemoryTools } from './memory-tools.ts';
import { describeChangelogForm, describeTaskForm } from './note-forms.ts';
import type { NoteForms } from './note-forms.ts';
import type { McpOptions } from './options.ts';
import { registerPrompts } from './prompts.ts';
import { notifyConnection } from './resource-changes.ts';
import { registerResources } from './resources.ts';
import { describeVaultTools, registerVaultTools } from './vault-tools.ts';
import type { ToolRegistration } from './vault-tools.ts';

/** The icon of the web interface, inlined so that clients need not fetch it. */
const iconSvg =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f5d50"/><path d="M10 7.5h12a1 1 0 0 1 1 1v16.2l-7-4.6-7 4.6V8.5a1 1 0 0 1 1-1z" fill="#f7f5f0"/></svg>';
const icon = {
  src: `data:image/svg+xml,${encodeURIComponent(iconSvg)}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
};

/** The lists of tools, prompts and templates change only when a model is chosen or Keepsake is upgraded. */
const listCacheHint = { ttlMs: 60_000, cacheScope: 'private' as const };

/**
 * Creates servers for every transport and for all supported protocol versions: those of 2025, and 2026-07-28
 * (`modern`). With a `run`, all calls of the connection share the record of lines read and the connection is notified
 * of changes; without one, calls are independent and a write names the revision that the client has read.
 */
export function createMcpFactory(
  backend: McpBackend,
  options: McpOptions & { run?: string },
): McpServerFactory {
  const { isReadOnly, version, run, onError = () => undefined } = options;
  const elicitation = createElicitation(backend, options);
  const [described, describedWithoutEmbedder] = [true, false].map((hasEmbedder) =>
    describeVaultTools({ isReadOnly, hasRun: run !== undefined, hasEmbedder }),
  ) as [ToolRegistration[], ToolRegistration[]];
  let skills: { text: string; catalogue: Promise<SkillCatalog> } | null = null;
  return async ({ era, requestInfo }) => {
    const about = { name: 'keepsake', title: 'Keepsake', version, icons: [icon] };
    const requestState = { verify: elicitation.verify };
    // A server for a single request needs only the called tool. The SDK has checked that the headers match the body.
    const requestedTool =
      era === 'modern' && run === undefined && requestInfo?.headers.get('mcp-method') === 'tools/call'
        ? described.find(({ tool }) => toolName(tool.name, 'mcp') === requestInfo.headers.get('mcp-name'))
        : undefined;
    if (requestedTool !== undefined) {
      const server = new McpServer(about, { capabilities: { tools: { listChanged: false } }, requestState });
      registerVaultTools(server, [requestedTool], backend, elicitation, options, defaultLayout);
      return server;
    }
    // An invalid model configuration must not prevent clients from reading files.
    const hasAgents = await backend.hasAgents().catch((error: unknown) => {
      onError(error);
      return false;
    });
    const hasEmbedder = await backend.hasEmbedder().catch((error: unknown) => {
      onError(error);
      return false;
    });
    const names = await backend.listRoot().catch((error: unknown): string[] => {
      onError(error);
      return [];
    });
    const layout = await backend.layout().catch((error: unknown): Layout => {
      onError(error);
      return defaultLayout;
    });
    const hasEntry = (name: string): boolean => names.includes(layout.substituteNames(name));
    const forms = await readForms(backend, layout).catch((error: unknown): NoteForms => {
      onError(error);
      return { changelog: null, tasks: null };
    });
    const context = { hasAgents, isReadOnly, hasEntry, layout, forms };
    // A 2025-era client over HTTP has no channel for notifications.
    const supportsNotifications = era === 'modern' || run !== undefined;
    const server = new McpServer(about, {
      instructions: buildInstructions(context),
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: supportsNotifications, listChanged: supportsNotifications },
      },
      requestState,
      cacheHints: {
        'tools/list': listCacheHint,
        'prompts/list': listCacheHint,
        'resources/templates/list': listCacheHint,
      },
    });
    const offered = hasEmbedder ? described : describedWithoutEmbedder;
    registerVaultTools(server, offered, backend, elicitation, options, layout);
    registerHistoryTools(server, backend, elicitation, options);
    registerMemoryTools(server, backend, elicitation, { ...options, hasAgents });
    if (!isReadOnly) registerFilingTools(server, backend, elicitation, options);
    registerResources(server, backend);
    registerPrompts(server, backend, context);
    const text = buildSkill(layout);
    if (skills?.text !== text) skills = { text, catalogue: loadSkillCatalogue(text) };
    (await skills.catalogue).attach(server);
    if (run !== undefined) notifyConnection(server, backend, era, onError);
    return server;
  };
}

/** The forms of an adopted vault, from its changelog and its task list or, without one, from the notes of its projects. */
async function readForms(backend: McpBackend, layout: Layout): Promise<NoteForms> {
  if (!layout.isAdopted) return { changelog: null, tasks: null };
  const { changelogPath, projectsPath, names } = layout;
  const taskList = childPath(rootPath, names.tasks);
  const notes = (await backend.listFiles()).map(({ path }) => path);
  const inProjects = notes.filter((path) => path.startsWith(`${projectsPath}/`)).toSorted();
  const candidates = notes.includes(taskList) ? [taskList] : inProjects.slice(0, maxNotesForForms);
  const texts = await Promise.all([changelogPath, ...candidates].map((path) => readText(backend, path)));
  const [changelog = '', ...tasks] = texts;
  return { changelog: describeChangelogForm(changelog), tasks: describeTaskForm(tasks.join('\n')) };
}

const maxNotesForForms = 5;

/** Empty if there is no such text; a tool call reports the reason if the file is needed. */
async function readText(backend: McpBackend, path: VaultPath): Promise<string> {
  const read = await backend.readFile(path);
  return read.kind === 'file' && fileKindOf(baseName(path)) === 'markdown' ? read.bytes.toString() : '';
}

/** The Keepsake skill, for clients that load skills from MCP servers. */
function loadSkillCatalogue(skill: string): Promise<SkillCatalog> {
  return SkillsExtension.load(memorySkillFiles({ 'keepsake/SKILL.md': skill }), { cacheHint: listCacheHint });
}
