import { entryFor } from './client.ts';
import type { Client } from './client.ts';
import { quoteForShell } from './quote.ts';
import { entryName, foreignKeys } from './server.ts';
import type { Server } from './server.ts';
import { removeJsonEntry, setJsonEntry } from './set-json-entry.ts';
import { removeTomlEntry, setTomlEntry } from './set-toml-entry.ts';

/** A client's configuration with our entry in it; that of an empty text is the entry alone. Throws a SyntaxError. */
export function withEntry(client: Client, server: Server, text: string): string {
  const setting = {
    section: client.section,
    name: entryName,
    entry: entryFor(client, server),
    foreign: foreignKeys(server.kind),
  };
  if (client.format === 'toml') return setTomlEntry(text, setting);
  // Such a client reads neither comments nor trailing commas, so that a file with them is broken for it.
  if (client.format === 'json' && text.trim() !== '') JSON.parse(text);
  return setJsonEntry(text, setting);
}

/** The same without it. */
export function withoutEntry(client: Client, text: string): string {
  const place = { section: client.section, name: entryName };
  return client.format === 'toml' ? removeTomlEntry(text, place) : removeJsonEntry(text, place);
}

/** What a person types for clients that have a command of their own; null for others. */
export function ownCommand(client: Client, server: Server, platform: NodeJS.Platform): string | null {
  if (client.name !== 'claude-code') return null;
  const quote = platform === 'win32' ? quoteForWindows : quoteForShell;
  const add = 'claude mcp add --scope user';
  if (server.kind === 'stdio')
    return `${add} ${entryName} -- ${[server.command, ...server.args].map(quote).join(' ')}`;
  const variable = platform === 'win32' ? `%${server.tokenVariable}%` : `$${server.tokenVariable}`;
  return `${add} --transport http ${entryName} ${quote(server.url)} --header "Authorization: Bearer ${variable}"`;
}

function quoteForWindows(word: string): string {
  return /^[\w@+=:,./\\-]+$/.test(word) ? word : `"${word}"`;
}
