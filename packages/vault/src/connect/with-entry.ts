import { createEntry } from './client.ts';
import type { Client } from './client.ts';
import { quoteForShell } from './quote.ts';
import { entryName, getConflictingKeys } from './server.ts';
import type { ServerEndpoint } from './server.ts';
import { removeJsonEntry, setJsonEntry } from './set-json-entry.ts';
import { removeTomlEntry, setTomlEntry } from './set-toml-entry.ts';

/**
 * Adds Keepsake's entry to the text of a client's configuration, which may be empty. Throws a SyntaxError if the text
 * is invalid.
 */
export function addEntry(client: Client, server: ServerEndpoint, text: string): string {
  const setting = {
    section: client.section,
    name: entryName,
    entry: createEntry(client, server),
    conflictingKeys: getConflictingKeys(server.kind),
  };
  if (client.format === 'toml') return setTomlEntry(text, setting);
  // Clients with strict JSON support neither comments nor trailing commas, so a file that contains them is invalid.
  if (client.format === 'json' && text.trim() !== '') JSON.parse(text);
  return setJsonEntry(text, setting);
}

/** Removes Keepsake's entry. Throws a SyntaxError if the text is invalid. */
export function removeEntry(client: Client, text: string): string {
  const place = { section: client.section, name: entryName };
  return client.format === 'toml' ? removeTomlEntry(text, place) : removeJsonEntry(text, place);
}

/** The command that adds the server, for clients that have one; null for others. */
export function formatAddCommand(
  client: Client,
  server: ServerEndpoint,
  platform: NodeJS.Platform,
): string | null {
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
