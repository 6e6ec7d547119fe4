import { McpServer } from '@modelcontextprotocol/server';
import type { McpServerFactory } from '@modelcontextprotocol/server';
import { memorySkillFiles, SkillsExtension } from '@modelcontextprotocol/server/ext/skills';
import type { SkillCatalog } from '@modelcontextprotocol/server/ext/skills';
import { skillText } from '../../connect/index.ts';
import { toolName } from '../../tools/index.ts';
import { usualLayout } from '../../vault/index.ts';
import type { Layout } from '../../vault/index.ts';
import { createAskPerson } from './ask-person.ts';
import type { McpBackend } from './backend.ts';
import { registerHistoryTools } from './history-tools.ts';
import { instructionsFor } from './instructions.ts';
import { registerMemoryTools } from './memory-tools.ts';
import type { McpOptions } from './options.ts';
import { registerPrompts } from './prompts.ts';
import { tellConnection } from './resource-changes.ts';
import { registerResources } from './resources.ts';
import { describeVaultTools, registerVaultTools } from './vault-tools.ts';

/** That of the web interface. In the message itself: a client need not load anything. */
const drawing =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#2f5d50"/><path d="M10 7.5h12a1 1 0 0 1 1 1v16.2l-7-4.6-7 4.6V8.5a1 1 0 0 1 1-1z" fill="#f7f5f0"/></svg>';
const icon = {
  src: `data:image/svg+xml,${encodeURIComponent(drawing)}`,
  mimeType: 'image/svg+xml',
  sizes: ['any'],
};

/** They change when a model is chosen, and with a new version. */
const lists = { ttlMs: 60_000, cacheScope: 'private' as const };

/**
 * Servers for every transport and both eras of the protocol. With a `run` all of them share what was read, as the
 * calls of one connection do, and tell that connection of changes; without one each call stands alone and names the
 * revision it knows.
 */
export function createMcpFactory(
  backend: McpBackend,
  options: McpOptions & { run?: string },
): McpServerFactory {
  const { isReadOnly, version, run, onError = () => undefined } = options;
  const person = createAskPerson(backend, options);
  const described = describeVaultTools({ isReadOnly, hasRun: run !== undefined });
  let skills: { text: string; catalogue: Promise<SkillCatalog> } | null = null;
  return async ({ era, requestInfo }) => {
    const about = { name: 'keepsake', title: 'Keepsake', version, icons: [icon] };
    const requestState = { verify: person.verify };
    // A server that answers one request needs the tool that is called, and nothing else; what the headers say was compared with the body.
    const called =
      era === 'modern' && run === undefined && requestInfo?.headers.get('mcp-method') === 'tools/call'
        ? described.find(({ tool }) => toolName(tool.name, 'mcp') === requestInfo.headers.get('mcp-name'))
        : undefined;
    if (called !== undefined) {
      const server = new McpServer(about, { capabilities: { tools: { listChanged: false } }, requestState });
      registerVaultTools(server, [called], backend, person, options, usualLayout);
      return server;
    }
    // A model that is set up wrongly is no reason not to read a file.
    const hasAgents = await backend.hasAgents().catch((error: unknown) => {
      onError(error);
      return false;
    });
    const names = await backend.listRoot().catch((error: unknown): string[] => {
      onError(error);
      return [];
    });
    const layout = await backend.layout().catch((error: unknown): Layout => {
      onError(error);
      return usualLayout;
    });
    const holds = (name: string): boolean => names.includes(layout.inWords(name));
    const situation = { hasAgents, isReadOnly, holds, layout };
    // A 2025-era client over HTTP has nothing on which it could be told.
    const isTold = era === 'modern' || run !== undefined;
    const server = new McpServer(about, {
      instructions: instructionsFor(situation),
      capabilities: {
        tools: { listChanged: false },
        prompts: { listChanged: false },
        resources: { subscribe: isTold, listChanged: isTold },
      },
      requestState,
      cacheHints: { 'tools/list': lists, 'prompts/list': lists, 'resources/templates/list': lists },
    });
    registerVaultTools(server, described, backend, person, options, layout);
    registerHistoryTools(server, backend, person, options);
    if (hasAgents) registerMemoryTools(server, backend, person, options);
    registerResources(server, backend);
    registerPrompts(server, backend, situation);
    const text = skillText(layout);
    if (skills?.text !== text) skills = { text, catalogue: catalogueOf(text) };
    (await skills.catalogue).attach(server);
    if (run !== undefined) tellConnection(server, backend, era, onError);
    return server;
  };
}

/** What a client's model is taught, for clients that take skills from servers. */
function catalogueOf(skill: string): Promise<SkillCatalog> {
  return SkillsExtension.load(memorySkillFiles({ 'keepsake/SKILL.md': skill }), { cacheHint: lists });
}
