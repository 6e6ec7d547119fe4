import { isAbsolute, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { SyncError } from './sync-error.ts';

/** URL schemes with which the URL cannot make git run a program of its choosing. */
const allowedSchemes = ['file', 'git', 'http', 'https', 'ssh'];

/** For `GIT_ALLOW_PROTOCOL`. */
export const allowedProtocols = allowedSchemes.join(':');

/** Validates the URL of a remote and returns a form that git resolves from any folder: a path becomes absolute. */
export function parseRemoteUrl(text: string, cwd: string): string {
  const refuse = (reason: string): never => {
    throw new SyncError('bad-address', `${redactUrl(text)} is not the URL of a git repository: ${reason}`, {
      hint: 'use a folder, or a URL such as ssh://host/path or https://host/path',
    });
  };
  if (text.trim() === '') return refuse('it is empty');
  if (/\p{Cc}/u.test(text)) return refuse('it contains control characters');
  if (text.startsWith('-')) return refuse('it starts with a hyphen');
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  if (scheme !== undefined)
    return allowedSchemes.includes(scheme.toLowerCase()) ? text : refuse(`${scheme}:// is not allowed`);
  // git runs a remote helper program for these.
  if (/^[a-z\d]+::/i.test(text)) return refuse('remote helpers are not allowed');
  // `host:path` as in scp, but not `C:\vault`.
  const isHost = /^(?![a-z]:[\\/])[^/:]+:/i.test(text);
  return isHost ? text : resolve(cwd, text);
}

/** Removes the user name and password from a URL. */
export function redactUrl(address: string): string {
  return address.replaceAll(/(\b[a-z][a-z\d+.-]*:\/\/)[^/\s@]*@/gi, '$1');
}

/** The folder that a remote URL names; null if the remote is on another host. */
export function folderOf(url: string): string | null {
  if (url.startsWith('file://')) return fileURLToPath(url);
  return isAbsolute(url) ? url : null;
}
