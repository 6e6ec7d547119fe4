import { resolve } from 'node:path';
import { SyncError } from './error.ts';

/** Those of git that start no program of the address's choosing. */
const schemes = ['file', 'git', 'http', 'https', 'ssh'];

/** For `GIT_ALLOW_PROTOCOL`. */
export const allowedProtocols = schemes.join(':');

/** The address of a remote as git takes it from anywhere: a folder by its whole path. */
export function parseAddress(text: string, cwd: string): string {
  const refuse = (reason: string): never => {
    throw new SyncError('bad-address', `${showAddress(text)} is no address of a git repository: ${reason}`, {
      mend: 'name a folder, or give one as ssh://host/path or https://host/path',
    });
  };
  if (text.trim() === '') return refuse('it is empty');
  if (/\p{Cc}/u.test(text)) return refuse('it has control characters');
  if (text.startsWith('-')) return refuse('it begins with a hyphen');
  const [, scheme] = /^([a-z][a-z\d+.-]*):\/\//i.exec(text) ?? [];
  if (scheme !== undefined)
    return schemes.includes(scheme.toLowerCase()) ? text : refuse(`${scheme}:// is not allowed`);
  // git starts a program for these.
  if (/^[a-z\d]+::/i.test(text)) return refuse('helpers are not allowed');
  // `host:path`, as ssh has it; not `C:\vault`.
  const isHost = /^(?![a-z]:[\\/])[^/:]+:/i.test(text);
  return isHost ? text : resolve(cwd, text);
}

/** Without the name and the password that may stand in it. */
export function showAddress(address: string): string {
  return address.replaceAll(/(\b[a-z][a-z\d+.-]*:\/\/)[^/\s@]*@/gi, '$1');
}
