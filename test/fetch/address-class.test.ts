import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { addressClass, tryParseUrl, type AddressClass } from 'rxcrawl';
import { describeShared } from '../helpers/shared-cases.js';

const CLASSES: Readonly<Record<AddressClass, readonly string[]>> = {
  public: [
    ...['1.1.1.1', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255'],
    ...['128.0.0.0', '169.253.255.255', '172.15.255.255', '172.32.0.0', '192.167.255.255'],
    ...[
      '198.17.255.255',
      '198.20.0.0',
      '223.255.255.255',
      '2606:2800:220:1::1',
      '[2001:4860::8888]',
    ],
    ...['::ffff:8.8.8.8', '64:ff9b::808:808', '2002:808:808::1', '2001:200::1', '134744072'],
    ...['192.0.1.0', '192.169.0.0', '2620:4f:8000::1', '3fff:1000::1', '1.2.3', '1.2.3.0x'],
  ],
  private: [
    ...['10.0.0.0', '10.255.255.255', '172.16.0.0', '172.31.255.255', '192.168.0.1', '10.1'],
    ...['fc00::1', 'fdff::', 'fec0::1', '[::ffff:a00:1]', '64:ff9b::a00:1', '2002:c0a8:1::'],
    ...['64:ff9b:1::10.0.0.1', '::ffff:0:192.168.0.1', '2001:0:808:808::f5ff:fffe'],
  ],
  cgnat: ['100.64.0.0', '100.127.255.255', '::ffff:100.64.0.1'],
  loopback: [
    ...[
      '127.0.0.1',
      '127.255.255.254',
      '0x7f.1',
      '0177.0.0.1',
      '2130706433',
      '127.1',
      '127.0.0.1.',
    ],
    ...['%31%32%37.0.0.1', '１２７.0.0.1', '::1', '[0:0::1]', '::127.0.0.1', '::ffff:7f00:1'],
    ...['2002:7f00:1::', '64:ff9b::127.0.0.1', '2001:0:7f00:1::f7f7:f7f7', '127。0。0。1'],
  ],
  'link-local': [
    '169.254.169.254',
    '169.254.0.0',
    'fe80::1',
    'febf::1',
    'fe80::1%eth0',
    '0xA9FEA9FE',
  ],
  unspecified: ['0.0.0.0', '0', '::', '[::]', '::ffff:0.0.0.0'],
  multicast: ['224.0.0.1', '239.255.255.255', 'ff02::1'],
  broadcast: ['255.255.255.255', '0xffffffff'],
  reserved: [
    ...['0.0.0.1', '192.0.0.1', '192.0.2.1', '192.88.99.1', '198.18.0.1', '198.19.255.255'],
    ...['198.51.100.1', '203.0.113.255', '240.0.0.1', '255.255.255.254', '2001:db8::1', '3fff::1'],
    ...['100::1', '2001:2::1', '2001:20::1', '4000::1', '64:ff9b:1::8.8.8.8', '5f00::1', '1::'],
    ...['192.0.0.170', '2001:30::1', 'fe00::1', '100:0:0:1::', '64:ff9b:2::1', '::2'],
  ],
  'loopback-name': [
    'localhost',
    'LOCALHOST.',
    'a.localhost',
    'ｌocalhost',
    '%6cocalhost',
    'localhost%2e',
    '\u00adlocalhost',
  ],
  name: [
    'example.org',
    'localhost.example',
    'notlocalhost',
    'bücher.test',
    '1.2.3.4.test',
    '0x7g',
    'a_b.test',
    'x.',
  ],
  invalid: [
    '',
    '256.0.0.1',
    '[::1',
    '[::1%25eth0]',
    'a b',
    'a/b',
    'u@127.0.0.1',
    '1.2.3.4.5',
    ':::',
    ...['4294967296', '08.0.0.1', 'foo.1', 'a\0b', 'a%00b', '::1]', '1::2::3', '::ffff:300.1.1.1'],
    ...['a:80', '127.0.0.1:80'],
  ],
};

describe('addressClass', () => {
  it.each(Object.entries(CLASSES))('%s', (kind, hosts) => {
    expect(hosts.map((host) => [host, addressClass(host)])).toEqual(
      hosts.map((host) => [host, kind]),
    );
  });
});

describeShared('security/ssrf.json', (path) => {
  interface Case {
    readonly id: string;
    readonly url: string;
    readonly class: string;
  }
  const { cases } = JSON.parse(readFileSync(path, 'utf8')) as { cases: Case[] };

  it.each(cases)('$id $url is $class', ({ url, class: kind }) => {
    const host = tryParseUrl(url)?.hostname ?? '';
    expect(addressClass(host)).toBe(kind);
  });
});
