import { existsSync } from 'node:fs';
import { clients } from './client.ts';
import type { Client } from './client.ts';
import { findExecutable } from './find-executable.ts';
import type { Platform } from './platform.ts';

export type DetectedClient = { client: Client; isFound: boolean };

/** All clients, and whether each seems to be installed: its command or one of its files exists. */
export function detectClients(machine: Platform, searchPath: string): DetectedClient[] {
  return clients.map((client) => ({
    client,
    isFound:
      client.detectionPaths(machine).some((trace) => existsSync(trace)) ||
      (client.executable !== null && isOnPath(client.executable, searchPath)),
  }));
}

export function isOnPath(name: string, searchPath: string): boolean {
  return findExecutable(name, searchPath) !== null;
}
