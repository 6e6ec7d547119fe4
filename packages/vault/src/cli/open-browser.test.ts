import { expect, it } from 'vitest';
import { resolveBrowserCommand } from './open-browser.ts';

it.each([
  { platform: 'darwin', variables: {}, command: ['open'] },
  { platform: 'linux', variables: { DISPLAY: ':0' }, command: ['xdg-open'] },
  { platform: 'linux', variables: { WAYLAND_DISPLAY: 'wayland-0' }, command: ['xdg-open'] },
  { platform: 'linux', variables: {}, command: null },
  { platform: 'darwin', variables: { SSH_CONNECTION: '1.2.3.4' }, command: null },
  { platform: 'linux', variables: { DISPLAY: ':0', CI: 'true' }, command: null },
] as const)('opens the browser on $platform with $variables by $command', (each) => {
  const variables: Record<string, string> = each.variables;
  expect(resolveBrowserCommand(each.platform, (name) => variables[name])).toEqual(each.command);
});
