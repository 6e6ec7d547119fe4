import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { clients } from './client.ts';
import type { Client } from './client.ts';
import type { Machine } from './machine.ts';

export type FoundClient = { client: Client; isFound: boolean };

/** All clients, and which of them seem to be used here: their command, or something they leave behind, is there. */
export function findClients(machine: Machine, searchPath: string): FoundClient[] {
  return clients.map((client) => ({
    client,
    isFound:
      client.traces(machine).some((trace) => existsSync(trace)) ||
      (client.executable !== null && isCommand(client.executable, searchPath)),
  }));
}

export function isCommand(name: string, searchPath: string): boolean {
  const folders = searchPath.split(delimiter).filter((folder) => folder !== '');
  return folders.some((folder) => existsSync(join(folder, name)));
}
