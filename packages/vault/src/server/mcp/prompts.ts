import { completable } from '@modelcontextprotocol/server';
import type { GetPromptResult, McpServer } from '@modelcontextprotocol/server';
import { z } from 'zod';
import type { Layout } from '../../vault/index.ts';
import type { McpBackend } from './backend.ts';
import { firstToRead } from './instructions.ts';
import type { Situation } from './instructions.ts';
import { advising } from './with-advice.ts';

/** What a person can choose to ask for. */
export function registerPrompts(server: McpServer, backend: McpBackend, situation: Situation): void {
  const { inWords } = situation.layout;
  const projectName = completable(
    z.string().min(1).describe(inWords('The name of its folder in projects/')),
    async (begun) =>
      (await advising(projectsOf(backend, situation.layout))).filter((name) => name.startsWith(begun)),
  );
  server.registerPrompt(
    'brief_project',
    {
      title: 'Brief me on a project',
      description: 'Where a project stands, what is next, and what was decided lately',
      argsSchema: z.object({ project: projectName }),
    },
    ({ project }) => asking(inWords(briefing(project, situation))),
  );
  server.registerPrompt(
    'weekly_review',
    {
      title: 'Weekly review',
      description: 'What happened in the last seven days, what is open, and what waits for me',
    },
    () => asking(inWords(review(situation))),
  );
  if (situation.isReadOnly) return;
  server.registerPrompt(
    'file_conversation',
    {
      title: 'File this conversation',
      description: 'Keeps what was learned and decided here',
    },
    () => asking(inWords(filing(situation))),
  );
}

async function projectsOf(backend: McpBackend, { projectOf }: Layout): Promise<string[]> {
  const names = (await backend.listFiles()).flatMap(({ path }) => projectOf(path) ?? []);
  return [...new Set(names)].toSorted();
}

function asking(text: string): GetPromptResult {
  return { messages: [{ role: 'user', content: { type: 'text', text } }] };
}

function briefing(project: string, situation: Situation): string {
  const first = firstToRead(situation);
  const where = situation.holds('projects/')
    ? 'the folder of the project in vault/projects/ (if there is none of that name, the closest one; vault_tree shows them): description.md, state.md and tasks.md, and the beginning of changelog.md.'
    : 'the notes about it: this vault has no folder projects/, so find them with vault_search and vault_tree.';
  return [
    `Brief me on the project ${JSON.stringify(project)} of my vault.`,
    `Read ${first === null ? '' : `${first}, then `}${where}`,
    'Tell me in this order: what it is, in one sentence; where it stands; what is next, with deadlines; what was decided in the last weeks and why; what is open or contradicts itself. Name path and line for each claim, and do not add what is not written there.',
  ].join('\n\n');
}

function review(situation: Situation): string {
  const { holds } = situation;
  const read = [
    firstToRead(situation),
    holds('changelog.md') && 'the last seven days of vault/changelog.md (vault_read with head)',
    holds('tasks.md') && 'vault/tasks.md',
    holds('projects/')
      ? 'the tasks.md and state.md of every project that changed lately (vault_tree shows dates)'
      : 'the notes that changed in the last seven days (vault_tree shows dates)',
  ].filter((each) => each !== null && each !== false);
  const silent = holds('overview.md')
    ? '; which projects are silent although the overview calls them active'
    : '';
  return [
    'Prepare my weekly review from my vault.',
    `Read ${read.join(', ')}, and what lies in vault/inbox/.`,
    `Tell me: what happened and what was decided; which tasks are late, due within seven days, or have not moved; which questions in the inbox wait for my answer${silent}. Then propose at most three things for the coming week. Name path and line for each claim. Change nothing.`,
  ].join('\n\n');
}

function filing({ hasAgents, holds }: Situation): string {
  const search = `${holds('overview.md') ? 'Read vault/overview.md, search' : 'Search'} for what is known already`;
  const project = holds('projects/')
    ? `state and tasks of the project, an entry on top of its changelog${holds('changelog.md') ? ' and of vault/changelog.md' : ''}`
    : `the notes that are about it${holds('changelog.md') ? ', and an entry on top of vault/changelog.md' : ''}; what is new goes where its like is`;
  const how = hasAgents
    ? 'Call memory_update once for each thing that belongs together. Set from_person to true only for what I said myself; what you found out or read elsewhere goes into an update of its own, without it.'
    : `${search}, then change what must change: ${project}. What cannot be placed goes to vault/inbox/<day>-<name>/review.md with one precise question.`;
  return [
    'File this conversation in my vault.',
    'Keep what will matter later: facts, decisions with their reasons, tasks with their deadlines, open questions. Leave out the way there, and whatever is known already. Write dates out.',
    how,
    'Show me first what you are going to file, in a short list, and wait for my consent. Then tell me what was filed and where.',
  ].join('\n\n');
}
