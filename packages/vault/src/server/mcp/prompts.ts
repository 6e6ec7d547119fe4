import { completable } from '@modelcontextprotocol/server';
import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Layout } from '../../vault/index.ts';
import type { McpBackend } from './backend.ts';
import { listOverviewFiles } from './instructions.ts';
import type { InstructionContext } from './instructions.ts';
import { rethrowWithHint } from './tool-errors.ts';

/** Registers the prompts that a user can pick in their client. */
export function registerPrompts(server: McpServer, backend: McpBackend, context: InstructionContext): void {
  const { substituteNames } = context.layout;
  const projectName = completable(
    z.string().min(1).describe(substituteNames('Name of the project folder in projects/')),
    async (prefix) =>
      (await rethrowWithHint(listProjects(backend, context.layout))).filter((name) =>
        name.startsWith(prefix),
      ),
  );
  server.registerPrompt(
    'brief_project',
    {
      title: 'Brief me on a project',
      description: 'Current state, next steps and recent decisions',
      argsSchema: z.object({ project: projectName }),
    },
    ({ project }) => userMessage(substituteNames(formatBriefing(project, context))),
  );
  server.registerPrompt(
    'weekly_review',
    {
      title: 'Weekly review',
      description: 'The last seven days: events, open tasks, and items waiting for you',
    },
    () => userMessage(substituteNames(formatReview(context))),
  );
  if (context.isReadOnly) return;
  server.registerPrompt(
    'file_conversation',
    {
      title: 'Save this conversation',
      description: 'Stores what was learned and decided',
    },
    () => userMessage(substituteNames(formatFiling(context))),
  );
  server.registerPrompt(
    'file_waiting',
    { title: 'File what waits', description: 'Files the updates that wait because no model could' },
    () => userMessage(fileWaiting),
  );
}

const fileWaiting =
  'File what waits in my vault: call memory_next, follow its instructions, finish with memory_done, and repeat until nothing waits. Then tell me in one line per update what was filed and where, and what waits for my decision.';

async function listProjects(backend: McpBackend, { projectOf }: Layout): Promise<string[]> {
  const names = (await backend.listFiles()).flatMap(({ path }) => projectOf(path) ?? []);
  return [...new Set(names)].toSorted();
}

function userMessage(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function formatBriefing(project: string, context: InstructionContext): string {
  const first = listOverviewFiles(context);
  const where = context.hasEntry('projects/')
    ? context.layout.isAdopted
      ? 'the note or folder of the project in vault/projects/ (if none has that name, the closest match; vault_tree lists them), and the notes that it links to.'
      : 'the project folder in vault/projects/ (if no folder has that name, the closest match; vault_tree lists them): description.md, state.md and tasks.md, and the start of changelog.md.'
    : 'the notes about it: this vault has no projects/ folder, so find them with vault_search and vault_tree.';
  return [
    `Brief me on the project ${JSON.stringify(project)} of my vault.`,
    `Read ${first === null ? '' : `${first}, then `}${where}`,
    'Report in this order: what the project is (one sentence); its current state; next steps with deadlines; decisions of the last weeks with their reasons; open questions and contradictions. Cite path and line for every statement, and add nothing that is not in the files.',
  ].join('\n\n');
}

function formatReview(context: InstructionContext): string {
  const { hasEntry, layout } = context;
  const read = [
    listOverviewFiles(context),
    hasEntry('changelog.md') && 'the last seven days of vault/changelog.md (vault_read with head)',
    hasEntry('tasks.md') && 'vault/tasks.md',
    hasEntry('projects/') && !layout.isAdopted
      ? 'tasks.md and state.md of every project that changed recently (vault_tree shows dates)'
      : 'the notes that changed in the last seven days (vault_tree shows dates)',
  ].filter((each) => each !== null && each !== false);
  const silent = hasEntry('overview.md')
    ? '; projects that the overview calls active but that had no changes'
    : '';
  return [
    'Prepare my weekly review from my vault.',
    `Read ${read.join(', ')}, and the items in vault/inbox/.`,
    `Report: what happened and what was decided; tasks that are overdue, due within seven days or without progress; inbox questions waiting for my answer${silent}. Then suggest at most three priorities for next week. Cite path and line for every statement. Do not change anything.`,
  ].join('\n\n');
}

function formatFiling({ hasAgents, hasEntry, layout }: InstructionContext): string {
  const search = `${hasEntry('overview.md') ? 'Read vault/overview.md, search' : 'Search'} for what the vault already contains`;
  const place = layout.isAdopted ? 'in the form of its entries, to' : 'at the top of';
  const project =
    hasEntry('projects/') && !layout.isAdopted
      ? `state and tasks of the project, and an entry at the top of its changelog${hasEntry('changelog.md') ? ' and of vault/changelog.md' : ''}`
      : `the notes about it${hasEntry('changelog.md') ? `, and an entry ${place} vault/changelog.md` : ''}; put new notes next to similar ones`;
  const how = hasAgents
    ? 'Call memory_update once per topic. Set from_person to true only for what I said myself; put what you concluded or read elsewhere into separate updates without it.'
    : `${search}, then update what has changed: ${project}. If you cannot tell where something belongs, write vault/inbox/<day>-<name>/review.md with one precise question.`;
  return [
    'Save this conversation in my vault.',
    'Save what will matter later: facts, decisions with reasons, tasks with deadlines, open questions. Leave out intermediate steps and anything the vault already contains. Write full dates.',
    how,
    'First show me a short list of what you will save and wait for my approval. Then report what was saved and where.',
  ].join('\n\n');
}
