import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { UpdateInput } from '../../packages/vault/src/contract/index.ts';
import { onePage, stream, words } from '../intake/hostile/pdf-file.ts';
import type { Turn } from '../scripted-model/server.ts';
import type { WebServer } from './web-server.ts';

export type View = {
  name: string;
  path: string;
  /** Text that appears once the view is loaded. */
  ready: RegExp;
  /** Opens the view after the page has loaded. */
  act?: (page: Page) => Promise<void>;
};

const tidewatch = 'vault/projects/tidewatch';
const conflicting = 'projects/longere/state.md';
const diagram = 'projects/tidewatch/pipeline.md';
const document = 'projects/tidewatch/bucket/quote.pdf';

/** Files in addition to the demo vault. */
export const moreFiles = {
  [document]: onePage(stream(words('Quote for two oxygen probes: 1,240 EUR'))),
  [diagram]: [
    '# Pipeline',
    '',
    'From the buoys to the growers:',
    '',
    '```mermaid',
    'flowchart LR',
    '  buoy[Buoy, every 20 minutes] --> gateway[NB-IoT] --> database[(PostgreSQL)] --> alerts{Below a threshold?}',
    '  alerts -- yes --> grower[Text message to the grower on duty]',
    '```',
    '',
  ].join('\n'),
};

const entry = (title: string, text: string) => ({
  tool: 'append',
  input: {
    path: 'vault/changelog.md',
    content: `# 2026-06-19\n\n## ${title}\n${text}`,
    position: 'top',
  },
});
const filing: Turn[] = [
  { calls: [{ tool: 'search', input: { queries: ['oxygen probe buoy 7'], mode: 'fast' } }] },
  { calls: [{ tool: 'read', input: { paths: [`${tidewatch}/state.md`, `${tidewatch}/tasks.md`] } }] },
  {
    calls: [
      {
        tool: 'edit',
        input: {
          path: `${tidewatch}/state.md`,
          old: 'Buoy 7: the oxygen probe is fouled or broken, the spare one is at the cooperative since 2026-06-16.',
          new: 'Buoy 7: the oxygen probe was replaced on 2026-06-19 by the spare one.',
        },
      },
      {
        tool: 'edit',
        input: {
          path: `${tidewatch}/tasks.md`,
          old: 'status: in-progress | prio: high | added: 2026-06-12',
          new: 'status: done | prio: high | added: 2026-06-12',
        },
      },
      entry('Tidewatch: buoy 7 measures oxygen again', 'The spare probe is in; first reading 6.8 mg/l.'),
    ],
  },
  { text: 'The oxygen probe of buoy 7 was replaced; its task is done.' },
];
const introducing: Turn[] = [
  {
    calls: [
      { tool: 'read', input: { paths: 'vault/profile.md' } },
      {
        tool: 'append',
        input: {
          path: 'vault/profile.md',
          content: '## Bank\nInvoices are paid to a new account since 2026-06-19, see the email.',
          position: 'bottom',
        },
      },
      entry('New account for invoices', 'An email says that invoices go to another account.'),
    ],
  },
  { text: 'An email gives another account for invoices; the profile would say so.' },
];
const answering: Turn[] = [
  { calls: [{ tool: 'search', input: { queries: ['oxygen threshold alerts'], mode: 'fast' } }] },
  {
    text: 'The alert threshold for dissolved oxygen is **4.5 mg/l** in two consecutive readings. [1]\nIt was 5.0 mg/l until 2026-04-29 and was lowered after 17 false alarms in one month. [2]',
    calls: [
      {
        tool: 'concat',
        input: {
          files: [
            { path: `${tidewatch}/state.md`, lines: '25-29' },
            { path: `${tidewatch}/bucket/alert-log-april-may.md`, lines: '9-14' },
          ],
        },
      },
    ],
  },
];

/** Prepares a filed update, a held one, an answer, and a draft that conflicts with an edit. */
export async function prepareViews(server: WebServer): Promise<{ views: View[]; stored: string }> {
  const { updates } = server.keepsake.agents;
  const file = async (text: string, source: UpdateInput['source'], turns: Turn[]): Promise<string> => {
    server.model.script(...turns);
    const { id } = await updates.accept({ text, files: [], source });
    while (!['done', 'parked'].includes(updates.find(id)?.state ?? '')) await tick();
    const { state, reason } = updates.find(id) ?? {};
    if (state !== 'done') throw new Error(`it was not filed: ${reason?.text}`);
    return id;
  };
  const filed = await file(
    'Probe of buoy 7 replaced this morning. First reading 6.8 mg/l.',
    { kind: 'person', name: 'web' },
    filing,
  );
  server.model.script(...answering);
  const answer = await server.ask('Below which oxygen does Tidewatch raise an alert, and since when?');
  const held = await file(
    'Dear customer, from today on please have invoices paid to our new account.',
    { kind: 'other', name: 'email' },
    introducing,
  );
  const base = '# Longère\n\nThe roof.\n\nThe well.\n';
  writeFileSync(join(server.folder, conflicting), base.replace('The roof.', 'The roof leaks at the north.'));
  const draft = {
    text: base.replace('The roof.', 'The roof is repaired since Tuesday, for 1,240 €.'),
    base,
    etag: '"of-before"',
  };
  const stored = { 'keepsake.drafts': { [conflicting]: draft } };
  return {
    stored: Object.entries(stored)
      .map(([key, value]) => `sessionStorage.setItem('${key}', ${JSON.stringify(JSON.stringify(value))});`)
      .join('\n'),
    views: viewsOf({ filed, held, answer }),
  };
}

const tick = (): Promise<void> => new Promise((resume) => setTimeout(resume, 20));

function viewsOf(ids: { filed: string; held: string; answer: string }): View[] {
  const open = (label: RegExp) => async (page: Page) => page.getByRole('button', { name: label }).click();
  return [
    { name: 'home', path: '/', ready: /a year ago|il y a un an/ },
    { name: 'file', path: '/file/projects/tidewatch/tasks.md', ready: /Replace the oxygen probe/ },
    { name: 'state', path: '/file/projects/tidewatch/state.md#L21-24', ready: /Dissolved oxygen below/ },
    {
      name: 'diagram',
      path: `/file/${diagram}`,
      ready: /From the buoys/,
      act: async (page) => page.locator('.diagram svg').waitFor(),
    },
    {
      name: 'document',
      path: `/file/${document}`,
      ready: /^(?:Download|Télécharger)$/,
      act: async (page) => page.getByRole('img', { name: /^Page 1 / }).waitFor(),
    },
    { name: 'folder', path: '/file/projects/tidewatch', ready: /description\.md/ },
    { name: 'missing', path: '/file/none.md', ready: /File not found|Fichier introuvable/ },
    {
      name: 'source',
      path: '/file/projects/tidewatch/tasks.md',
      ready: /status: done \| prio: high/,
      act: open(/^Source$/),
    },
    {
      name: 'history',
      path: '/file/projects/tidewatch/tasks.md',
      ready: /status: done \| prio: high/,
      act: open(/^(?:History|Historique)$/),
    },
    {
      name: 'conflict',
      path: `/file/${conflicting}`,
      ready: /The roof leaks at the north/,
      act: open(/^Compar/),
    },
    { name: 'inbox', path: '/inbox', ready: /Ce devis de 384/ },
    { name: 'activity', path: '/activity', ready: /buoy 7 was replaced/ },
    { name: 'update', path: `/activity/${ids.filed}`, ready: /was replaced on 2026-06-19/ },
    { name: 'held', path: `/activity/${ids.held}`, ready: /Invoices are paid to a new account/ },
    { name: 'search', path: '/search?q=oxygen', ready: /oxygen/ },
    { name: 'tasks', path: '/tasks', ready: /^\d+ (?:tasks|tâches)$/ },
    { name: 'board', path: '/tasks?view=board', ready: /^\d+ (?:tasks|tâches)$/ },
    { name: 'calendar', path: '/calendar', ready: /^(?:Mon|lun\.?)$/i },
    { name: 'tags', path: '/tags', ready: /^(?:Tags|Étiquettes)$/ },
    { name: 'answers', path: '/answers', ready: /Below which oxygen/ },
    { name: 'answer', path: `/answers/${ids.answer}`, ready: /none in May/ },
    { name: 'settings', path: '/settings', ready: /API tokens|Jetons d’API/ },
    { name: 'gone', path: '/answers/none', ready: /Answer not found|Réponse introuvable/ },
  ];
}
