import { spawn } from 'node:child_process';
import type { Cli } from './command.ts';

/** The command that opens a link on this machine; null when there is no desktop session. */
export function resolveBrowserCommand(
  platform: NodeJS.Platform,
  variable: (name: string) => string | undefined,
): [command: string, ...before: string[]] | null {
  const isSet = (name: string): boolean => variable(name) !== undefined;
  if (isSet('CI') || isSet('SSH_CONNECTION')) return null;
  if (platform === 'darwin') return ['open'];
  if (platform === 'win32') return ['rundll32', 'url.dll,FileProtocolHandler'];
  return isSet('DISPLAY') || isSet('WAYLAND_DISPLAY') ? ['xdg-open'] : null;
}

/** Opens the browser if the output is a terminal. This may fail silently, so the caller must also print the link. */
export function openBrowser({ stdout, environment, variables }: Cli, link: string): void {
  if (stdout.isTTY !== true) return;
  const found = resolveBrowserCommand(process.platform, environment.variable);
  if (found === null) return;
  const [command, ...before] = found;
  spawn(command, [...before, link], { stdio: 'ignore', detached: true, env: variables, windowsHide: true })
    .on('error', () => undefined)
    .unref();
}
