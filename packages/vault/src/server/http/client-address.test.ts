import { describe, expect, it } from 'vitest';
import { readClientAddress } from './client-address.ts';

function addressOf(remoteAddress: string | undefined, forwardedFor?: string, hasPublicUrl = false): string {
  const headers = { 'x-forwarded-for': forwardedFor };
  return readClientAddress({ socket: { remoteAddress }, headers }, { hasPublicUrl });
}

describe('the address of a client', () => {
  it('is that of the connection, or the last that a proxy on this machine names', () => {
    expect(addressOf('203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('::ffff:203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('127.0.0.1', '203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('::1', '198.51.100.1, 203.0.113.7')).toBe('203.0.113.7');
    expect(addressOf('::ffff:127.0.0.1', '203.0.113.7:51234')).toBe('203.0.113.7');
    expect(addressOf('127.0.0.1')).toBe('127.0.0.1');
  });

  it('is not what a caller from elsewhere, or an unreadable header, says', () => {
    expect(addressOf('203.0.113.7', '198.51.100.1')).toBe('203.0.113.7');
    expect(addressOf('203.0.113.7', '198.51.100.1', true)).toBe('203.0.113.7');
    for (const wrong of [
      '',
      'unknown',
      '198.51.100.1, _hidden',
      '1.2.3',
      '1.2.3.256',
      'a:b',
      'x]/@[::1',
      '198.51.100.1,',
    ])
      expect(addressOf('127.0.0.1', wrong)).toBe('127.0.0.1');
    expect(addressOf(undefined)).toBe('unknown');
    expect(readClientAddress(undefined, { hasPublicUrl: true })).toBe('unknown');
  });

  it('is what a proxy on a private network names only if the server has a public URL', () => {
    for (const proxy of ['10.1.2.3', '172.18.0.2', '192.168.1.2', 'fd00::2', '::ffff:10.1.2.3'])
      expect([proxy, addressOf(proxy, '203.0.113.7', true)]).toEqual([proxy, '203.0.113.7']);
    expect(addressOf('172.18.0.2', '203.0.113.7')).toBe('172.18.0.2');
    for (const other of ['11.0.0.1', '172.15.0.1', '172.32.0.1', '100.63.0.1', '100.128.0.1', '192.167.0.1'])
      expect(addressOf(other, '203.0.113.7', true)).toBe(other);
    for (const other of ['fd::2', 'fec0::1', '2001:db8::1'])
      expect(addressOf(other, '203.0.113.7', true)).not.toBe('203.0.113.7');
  });

  it('is the network of 64 bits of an IPv6 address, in one form', () => {
    for (const same of [
      '2001:db8:0:2::1',
      '2001:0DB8::2:aaaa:bbbb:cccc:dddd',
      '[2001:db8:0:2:ffff::1]:443',
      '2001:db8:0:2::/64',
    ])
      expect([same, addressOf('127.0.0.1', same)]).toEqual([same, '2001:db8:0:2::/64']);
    expect(addressOf('2001:db8:0:3::1')).toBe('2001:db8:0:3::/64');
    expect(addressOf('fe80::1%eth0')).toBe('fe80:0:0:0::/64');
  });
});
