import { createHash } from 'node:crypto';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import Database from 'better-sqlite3';

/** A session that a client has stored. */
export type StoredSession = {
  id: string;
  folder: string;
  /** When the first prompt was sent, in epoch milliseconds; the turns follow a minute apart. */
  at: number;
  turns: { prompt: string; answer: string }[];
  title?: string;
  /** Whether a program sent the prompts. */
  isUnattended?: boolean;
  isSubagent?: boolean;
  remoteUrl?: string;
  /** Characters of attachments and requests in each turn, which make up most of a real transcript. */
  noise?: number;
};

const time = (at: number): string => new Date(at).toISOString();
const lines = (entries: readonly object[]): string =>
  entries.map((entry) => `${JSON.stringify(entry)}\n`).join('');

/** A UUID that is the same for the same name. */
export function stableId(name: string): string {
  return createHash('sha256')
    .update(name)
    .digest('hex')
    .replace(/^(.{8})(.{4})(.{4})(.{4})(.{12}).*$/, '$1-$2-$3-$4-$5');
}

/** The lines that Claude Code 2.1.325 writes. */
export function formatClaudeCode(session: StoredSession): string {
  const { id: sessionId, folder: cwd, noise = 200 } = session;
  const isSidechain = session.isSubagent === true;
  const common = {
    userType: 'external',
    entrypoint: 'cli',
    cwd,
    sessionId,
    version: '2.1.325',
    gitBranch: 'main',
  };
  const turns = session.turns.flatMap(({ prompt, answer }, index) => {
    const [at, promptId] = [session.at + index * 60_000, stableId(`${sessionId} ${index}`)];
    const message = { id: `msg-${index}`, type: 'message', role: 'assistant', model: 'claude-opus-5-5' };
    const tool = { id: `msg-${index}-tool`, type: 'message', role: 'assistant' };
    return [
      { type: 'queue-operation', operation: 'enqueue', timestamp: time(at), sessionId, content: prompt },
      {
        parentUuid: null,
        isSidechain,
        promptId,
        type: 'user',
        message: { role: 'user', content: prompt },
        uuid: stableId(`${promptId} user`),
        timestamp: time(at),
        permissionMode: 'default',
        promptSource: session.isUnattended === true ? 'sdk' : 'typed',
        ...common,
      },
      {
        isSidechain,
        attachment: { type: 'environment', snapshot: { workingDirectory: cwd, text: 'a'.repeat(noise / 2) } },
        type: 'attachment',
        timestamp: time(at),
        ...common,
      },
      {
        type: 'api-request-blob',
        sessionId,
        message: { role: 'user', content: [{ type: 'text', text: prompt }] },
      },
      {
        isSidechain,
        message: {
          ...tool,
          content: [
            { type: 'text', text: 'I look at it first.' },
            { type: 'tool_use', id: 't', name: 'Read', input: {} },
          ],
        },
        type: 'assistant',
        timestamp: time(at + 10_000),
        ...common,
      },
      {
        isSidechain,
        promptId,
        type: 'user',
        message: {
          role: 'user',
          content: [
            { tool_use_id: 't', type: 'tool_result', content: `TOOL OUTPUT ${'b'.repeat(noise / 2)}` },
          ],
        },
        timestamp: time(at + 20_000),
        ...common,
      },
      {
        isSidechain,
        message: { ...message, content: [{ type: 'text', text: answer }], stop_reason: 'end_turn' },
        type: 'assistant',
        timestamp: time(at + 30_000),
        ...common,
      },
      { type: 'last-prompt', lastPrompt: prompt, sessionId },
    ];
  });
  const title = session.title === undefined ? [] : [{ type: 'ai-title', aiTitle: session.title, sessionId }];
  return lines([...turns, ...title, { type: 'cost-state', sessionId, totalCostUSD: 0.05 }]);
}

/** The lines that Codex 0.166.0 writes. */
function formatCodex(session: StoredSession): string {
  const { id, folder: cwd, noise = 200 } = session;
  const source = session.isUnattended === true ? 'exec' : 'cli';
  const meta = {
    session_id: id,
    id,
    timestamp: time(session.at),
    cwd,
    originator: source === 'exec' ? 'codex_exec' : 'codex_cli_rs',
    cli_version: '0.166.0',
    source: session.isSubagent === true ? { subagent: { thread_spawn: { parent_thread_id: 'p' } } } : source,
    thread_source: session.isSubagent === true ? 'subagent' : 'user',
    base_instructions: { text: 'You are Codex.' },
    history_mode: 'paginated',
    ...(session.remoteUrl !== undefined && { git: { repository_url: session.remoteUrl, branch: 'main' } }),
  };
  const message = (role: string, kind: string, text: string, turn_id: string) => ({
    type: 'message',
    id: `msg_${stableId(`${turn_id} ${role} ${kind}`)}`,
    role,
    content: [{ type: role === 'assistant' ? 'output_text' : 'input_text', text }],
    internal_chat_message_metadata_passthrough: { turn_id, content_item_kinds: [kind] },
  });
  const turns = session.turns.flatMap(({ prompt, answer }, index) => {
    const [at, turn_id] = [session.at + index * 60_000, stableId(`${id} ${index}`)];
    const context = '<environment_context>\n  <shell>bash</shell>\n</environment_context>';
    return [
      { timestamp: time(at), type: 'event_msg', payload: { type: 'task_started', turn_id } },
      {
        timestamp: time(at),
        type: 'response_item',
        payload: message('user', 'environments.environment_context', context, turn_id),
      },
      { timestamp: time(at), type: 'turn_context', payload: { turn_id, cwd, text: 'a'.repeat(noise / 2) } },
      { timestamp: time(at), type: 'response_item', payload: message('user', 'user.text', prompt, turn_id) },
      {
        timestamp: time(at + 20_000),
        type: 'response_item',
        payload: { type: 'function_call_output', output: `TOOL OUTPUT ${'b'.repeat(noise / 2)}` },
      },
      {
        timestamp: time(at + 30_000),
        type: 'response_item',
        payload: message('assistant', 'unknown', answer, turn_id),
      },
      {
        timestamp: time(at + 30_000),
        type: 'event_msg',
        payload: { type: 'task_complete', turn_id, last_agent_message: answer },
      },
    ];
  });
  const all = [{ timestamp: time(session.at), type: 'session_meta', payload: meta }, ...turns];
  return lines(all.map((entry, ordinal) => ({ ordinal, ...entry })));
}

/** The lines that Gemini CLI 0.61.0 writes. */
function formatGemini(session: StoredSession): string {
  const { id: sessionId, noise = 200 } = session;
  const startTime = time(session.at);
  const context = `<session_context>\nThis is the Gemini CLI.\n${'a'.repeat(noise)}\n</session_context>`;
  const turns = session.turns.flatMap(({ prompt, answer }, index) => {
    const at = session.at + index * 60_000;
    const id = stableId(`${sessionId} ${index}`);
    return [
      { id, timestamp: time(at), type: 'user', content: [{ text: prompt }] },
      { $set: { lastUpdated: time(at) } },
      {
        id: `${id}-a`,
        timestamp: time(at + 10_000),
        type: 'gemini',
        content: '',
        toolCalls: [{ result: 'TOOL OUTPUT' }],
      },
      {
        id: `${id}-b`,
        timestamp: time(at + 30_000),
        type: 'gemini',
        content: answer,
        thoughts: [],
        model: 'gemini-2.5-flash',
      },
    ];
  });
  return lines([
    {
      sessionId,
      projectHash: 'e54b',
      startTime,
      lastUpdated: startTime,
      kind: session.isSubagent === true ? 'subagent' : 'main',
    },
    {
      $set: {
        messages: [{ id: 'context', timestamp: startTime, type: 'user', content: [{ text: context }] }],
      },
    },
    ...turns,
    ...(session.title === undefined ? [] : [{ $set: { summary: session.title } }]),
  ]);
}

function put(file: string, text: string): void {
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}

function storeClaudeCode(home: string, session: StoredSession): void {
  const folder = session.folder.replaceAll(/[^a-zA-Z0-9]/g, '-');
  put(join(home, '.claude', 'projects', folder, `${session.id}.jsonl`), formatClaudeCode(session));
}

function storeCodex(home: string, session: StoredSession): void {
  const [day = '', clock = ''] = time(session.at).slice(0, 19).split('T');
  const name = `rollout-${day}T${clock.replaceAll(':', '-')}-${session.id}.jsonl`;
  put(join(home, '.codex', 'sessions', ...day.split('-'), name), formatCodex(session));
}

function storeGemini(home: string, session: StoredSession): void {
  const folder = join(home, '.gemini', 'tmp', stableId(session.folder).slice(0, 8));
  put(join(folder, '.project_root'), session.folder);
  const name = `session-${time(session.at).slice(0, 16).replaceAll(':', '-')}-${session.id.slice(0, 8)}.jsonl`;
  put(join(folder, 'chats', name), formatGemini(session));
}

/** The tables of OpenCode 1.18.33, with the columns that matter here. */
const openCodeTables = `
  create table if not exists session (id text primary key, project_id text not null, parent_id text, slug text not null,
    directory text not null, title text not null, version text not null, time_created integer not null, time_updated integer not null);
  create table if not exists message (id text primary key, session_id text not null, time_created integer not null,
    time_updated integer not null, data text not null);
  create table if not exists part (id text primary key, message_id text not null, session_id text not null,
    time_created integer not null, time_updated integer not null, data text not null);
  create index if not exists part_message_id_id_idx on part (message_id, id);
  create index if not exists message_session_time_created_id_idx on message (session_id, time_created, id);`;

function storeOpenCode(home: string, session: StoredSession): void {
  const folder = join(home, '.local', 'share', 'opencode');
  mkdirSync(folder, { recursive: true });
  const database = new Database(join(folder, 'opencode.db'));
  database.pragma('journal_mode = wal');
  database.exec(openCodeTables);
  const { id, turns, noise = 200 } = session;
  const end = session.at + turns.length * 60_000;
  database
    .prepare('insert or replace into session values (?, ?, ?, ?, ?, ?, ?, ?, ?)')
    .run(
      id,
      'global',
      session.isSubagent === true ? 'parent' : null,
      'slug',
      session.folder,
      session.title ?? 'New session - 2026',
      '1.18.33',
      session.at,
      end,
    );
  const addMessage = database.prepare('insert or replace into message values (?, ?, ?, ?, ?)');
  const addPart = database.prepare('insert or replace into part values (?, ?, ?, ?, ?, ?)');
  const write = database.transaction(() => {
    for (const [index, { prompt, answer }] of turns.entries()) {
      const at = session.at + index * 60_000;
      const number = String(index).padStart(4, '0');
      const [asked, answered] = [`msg_${id}_${number}_a`, `msg_${id}_${number}_b`];
      addMessage.run(asked, id, at, at, JSON.stringify({ role: 'user', time: { created: at } }));
      const answerTime = { created: at + 10_000, completed: at + 30_000 };
      addMessage.run(answered, id, at + 10_000, at, JSON.stringify({ role: 'assistant', time: answerTime }));
      const parts: [string, object][] = [
        [asked, { type: 'text', text: prompt }],
        [asked, { type: 'text', text: 'INJECTED', synthetic: true }],
        [answered, { type: 'step-start' }],
        [answered, { type: 'tool', state: { output: `TOOL OUTPUT ${'b'.repeat(noise)}` } }],
        [answered, { type: 'text', text: answer }],
      ];
      for (const [part, [message, data]] of parts.entries())
        addPart.run(`prt_${id}_${number}_${part}`, message, id, at, at, JSON.stringify(data));
    }
  });
  write();
  database.close();
}

type Store = (home: string, session: StoredSession) => void;

/** Store sessions below a home folder as the clients do. */
export const store: Record<'claudeCode' | 'codex' | 'gemini' | 'opencode', Store> = {
  claudeCode: storeClaudeCode,
  codex: storeCodex,
  gemini: storeGemini,
  opencode: storeOpenCode,
};
