import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from '../../../test/support/properties.ts';
import { type Reach, reachOf } from './addresses.ts';

const known: Record<Reach, string[]> = {
  public: [
    '1.1.1.1',
    '8.8.8.8',
    '93.184.216.34',
    '172.15.255.255',
    '172.32.0.1',
    '100.63.255.255',
    '2606:4700::1111',
  ],
  private: [
    '10.0.0.1',
    '127.0.0.1',
    '127.255.255.254',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '100.64.0.1',
    '198.18.0.1',
    '203.0.113.7',
    '240.0.0.1',
    '::1',
    'fd12:3456:789a::1',
    'fc00::1',
    '::ffff:127.0.0.1',
    '::ffff:7f00:1',
    '64:ff9b::10.0.0.1',
    '64:ff9b::a00:1',
    '64:ff9b:1::1',
    '2002:7f00:1::',
  ],
  never: [
    '169.254.169.254',
    '::ffff:169.254.169.254',
    '64:ff9b::a9fe:a9fe',
    '2002:a9fe:a9fe::1',
    '100.100.100.200',
    '168.63.129.16',
    '192.0.0.192',
    'fd00:ec2::254',
    '0.0.0.0',
    '0.1.2.3',
    '224.0.0.1',
    '255.255.255.255',
    '::',
    'fe80::1',
    'fe80::1%eth0',
    'fec0::1',
    'ff02::1',
    '2001::1',
    '2001:db8::1',
    '3fff::1',
    '::127.0.0.1',
    '100::1',
    '',
    'localhost',
    '127.1',
    '0x7f000001',
    '2130706433',
    '[::1]',
  ],
};

for (const [reach, addresses] of Object.entries(known)) {
  test(`what is ${reach}`, () => {
    for (const address of addresses) assert.equal(reachOf(address), reach, address);
  });
}

test('an IPv4 address leads to the same place in each form that carries it', () => {
  fc.assert(
    fc.property(fc.ipV4(), (address) => {
      const [a = 0, b = 0, c = 0, d = 0] = address.split('.').map(Number);
      const hex = (high: number, low: number) => (high * 256 + low).toString(16);
      const expected = reachOf(address);
      for (const form of [
        `::ffff:${address}`,
        `::FFFF:${hex(a, b)}:${hex(c, d)}`,
        `0:0:0:0:0:ffff:${hex(a, b)}:${hex(c, d)}`,
        `64:ff9b::${address}`,
        `2002:${hex(a, b)}:${hex(c, d)}::1`,
      ])
        assert.equal(reachOf(form), expected, form);
    }),
  );
});

test('only what lies in 2000::/3, or carries an IPv4 address, can be public', () => {
  fc.assert(
    fc.property(fc.ipV6(), (address) => {
      const [first = 0] = address.startsWith('::') ? [0] : [Number.parseInt(address, 16)];
      const isGlobal = first >= 0x2000 && first <= 0x3fff;
      const carries = /^(?:0*:)*(?:::)?(?:0*:)*ffff:|^64:ff9b:/i.test(address);
      if (!isGlobal && !carries) assert.notEqual(reachOf(address), 'public', address);
    }),
  );
});
