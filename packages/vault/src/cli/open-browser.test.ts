import { expect, it } from 'vitest';
import { browserCommand } from './open-browser.ts';

it.each([
  { platform: 'darwin', variables: {}, command: ['open'] },
  { platform: 'linux', variables: { DISPLAY: ':0' }, command: ['xdg-open'] },
  { platform: 'linux', variables: { WAYLAND_DISPLAY: 'wayland-0' }, command: ['xdg-open'] },
  { platform: 'linux', variables: {}, command: null },
  { platform: 'darwin', variables: { SSH_CONNECTION: '1.2.3.4' }, command: null },
  { platform: 'linux', variables: { DISPLAY: ':0', CI: 'true' }, command: null },
] as const)('on $platform with $variables the browser is opened by $command', (each) => {
  const variables: Record<string, string> = each.variables;
  expect(browserCommand(each.platform, (name) => variables[name])).toEqual(each.command);
});
