import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Database } from 'better-sqlite3';
import { asObject, asText, createTurnCollector, parseObject } from './transcript.ts';
import type { Transcript, TranscriptSource } from './transcript.ts';

type SessionRow = {
  id: string;
  parent: string | null;
  directory: string;
  title: string;
  updated: number;
};
type PartRow = { message: string; at: number; data: string; part: string };

/** Lists the sessions in the database of OpenCode 1.18. The database must stay open while they are read. */
export function listOpenCodeSessions(database: Database, file: string): TranscriptSource[] {
  const rows = database
    .prepare(
      'select id, parent_id as parent, directory, title, time_updated as updated from session order by time_updated',
    )
    .all() as SessionRow[];
  const bytes = rows.length === 0 ? 0 : Math.round(statSync(file).size / rows.length);
  return rows.map((row) => ({
    client: 'opencode',
    name: join(file, row.id),
    bytes,
    modifiedAt: row.updated,
    sample: () => ({ transcript: readSession(database, row), readBytes: bytes, hasLastTurn: true }),
    read: async () => readSession(database, row),
  }));
}

function readSession(database: Database, { id: session, parent, directory, title }: SessionRow): Transcript {
  const turns = createTurnCollector();
  const rows = database
    .prepare(
      `select m.id as message, m.time_created as at, m.data, p.data as part
       from message m join part p on p.message_id = m.id
       where m.session_id = ? and json_extract(p.data, '$.type') = 'text'
       order by m.time_created, m.id, p.id`,
    )
    .iterate(session) as Iterable<PartRow>;
  for (const { message, at, data, part } of rows) {
    const [about, { text: value, synthetic }] = [parseObject(data) ?? {}, parseObject(part) ?? {}];
    const text = asText(value);
    if (text === null || synthetic === true) continue;
    if (about['role'] === 'user') turns.prompt({ id: message, at, text, isUnattended: false });
    else if (about['summary'] === true) turns.summary(message, at, text);
    else if (about['role'] === 'assistant')
      turns.answer(message, Number(asObject(about['time'])?.['completed'] ?? at), text);
  }
  // Until a model has named the session, its title is the time at which it started.
  const isNamed = !/^(?:New|Child) session - /.test(title);
  return {
    session,
    folder: directory,
    remoteUrl: null,
    branch: null,
    title: isNamed ? asText(title) : null,
    isSubagent: parent !== null,
    turns: turns.finish(),
  };
}
