import { expect, it } from 'vitest';
import { isPrivateAddress } from './is-private-address.ts';

it.each([
  'http://127.0.0.1:11434',
  'http://localhost:8080/v1',
  'http://[::1]:8080/v1',
  'http://192.168.1.20/v1',
  'http://10.1.2.3/v1',
  'http://172.31.0.1/v1',
  'http://100.100.1.1/v1',
  'http://[fd00::1]/v1',
  'http://ollama:11434',
  'http://studio.local:1234/v1',
])('%s is a private address', (url) => {
  expect(isPrivateAddress(url)).toBe(true);
});

it.each([
  'https://api.anthropic.com/v1',
  'http://8.8.8.8/v1',
  'http://172.32.0.1/v1',
  'http://[2001:db8::1]/v1',
])('%s is a public address', (url) => {
  expect(isPrivateAddress(url)).toBe(false);
});
