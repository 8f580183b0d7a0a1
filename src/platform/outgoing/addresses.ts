import { isIP } from 'node:net';

/**
 * Classifies an address by who may be reached there. `never`: no user can mean it, such as the metadata service of a
 * cloud machine, which hands its credentials to any caller.
 */
export type Reach = 'public' | 'private' | 'never';

interface Range {
  base: bigint;
  /** Bits right of the prefix. */
  shift: bigint;
  reach: Reach;
}

const WIDTH = { 4: 32, 6: 128 } as const;

/** The first range that contains an address decides. */
const IPV4_RANGES = [
  range('169.254.0.0/16', 'never'),
  range('100.100.100.200/32', 'never'),
  range('168.63.129.16/32', 'never'),
  range('192.0.0.192/32', 'never'),
  range('0.0.0.0/8', 'never'),
  range('224.0.0.0/4', 'never'),
  range('255.255.255.255/32', 'never'),
  range('10.0.0.0/8', 'private'),
  range('100.64.0.0/10', 'private'),
  range('127.0.0.0/8', 'private'),
  range('172.16.0.0/12', 'private'),
  range('192.0.0.0/24', 'private'),
  range('192.0.2.0/24', 'private'),
  range('192.88.99.0/24', 'private'),
  range('192.168.0.0/16', 'private'),
  range('198.18.0.0/15', 'private'),
  range('198.51.100.0/24', 'private'),
  range('203.0.113.0/24', 'private'),
  range('240.0.0.0/4', 'private'),
  range('0.0.0.0/0', 'public'),
];

const IPV6_RANGES = [
  range('fd00:ec2::254/128', 'never'),
  range('::1/128', 'private'),
  range('fc00::/7', 'private'),
  range('64:ff9b:1::/48', 'private'),
  range('2001::/23', 'never'),
  range('2001:db8::/32', 'never'),
  range('3fff::/20', 'never'),
  range('2000::/3', 'public'),
  range('::/0', 'never'),
];

/** IPv6 ranges that embed an IPv4 address, and the number of bits to its right. */
const CARRIERS = [
  { ...range('::ffff:0:0/96', 'public'), right: 0n },
  { ...range('64:ff9b::/96', 'public'), right: 0n },
  { ...range('2002::/16', 'public'), right: 80n },
];

/** `never` for text that is no numeric address. */
export function reachOf(address: string): Reach {
  const version = isIP(address);
  if (version === 4) return firstOf(IPV4_RANGES, ipv4Value(address));
  if (version !== 6 || address.includes('%')) return 'never';
  const value = ipv6Value(address);
  const carrier = CARRIERS.find((each) => holds(each, value));
  if (carrier === undefined) return firstOf(IPV6_RANGES, value);
  return firstOf(IPV4_RANGES, (value >> carrier.right) & 0xffff_ffffn);
}

const holds = ({ base, shift }: Range, value: bigint): boolean => value >> shift === base;
const firstOf = (ranges: readonly Range[], value: bigint): Reach =>
  ranges.find((each) => holds(each, value))?.reach ?? 'never';

function range(text: string, reach: Reach): Range {
  const [address = '', length] = text.split('/');
  const version = isIP(address) === 4 ? 4 : 6;
  const shift = BigInt(WIDTH[version] - Number(length));
  const value = version === 4 ? ipv4Value(address) : ipv6Value(address);
  return { base: value >> shift, shift, reach };
}

function ipv4Value(address: string): bigint {
  return address.split('.').reduce((value, part) => (value << 8n) | BigInt(part), 0n);
}

function ipv6Value(address: string): bigint {
  const [left = '', right] = address.split('::');
  const [before, after] = [groupsOf(left), groupsOf(right ?? '')];
  const gap = Array<bigint>(right === undefined ? 0 : 8 - before.length - after.length).fill(0n);
  return [...before, ...gap, ...after].reduce((value, group) => (value << 16n) | group, 0n);
}

/** A dotted IPv4 ending counts as two groups. */
function groupsOf(text: string): bigint[] {
  if (text === '') return [];
  return text.split(':').flatMap((part) => {
    if (!part.includes('.')) return [BigInt(`0x${part}`)];
    const value = ipv4Value(part);
    return [value >> 16n, value & 0xffffn];
  });
}
