import { BlockList, isIP } from 'node:net';

const LOOPBACK = new BlockList();
LOOPBACK.addSubnet('127.0.0.0', 8, 'ipv4');
LOOPBACK.addAddress('::1', 'ipv6');

/** True if only this machine can reach a server that listens at the host. */
export function isLoopback(host: string): boolean {
  const family = isIP(host);
  if (family === 0) return host.toLowerCase() === 'localhost';
  return LOOPBACK.check(host, family === 4 ? 'ipv4' : 'ipv6');
}

/** An IPv6 address in a URL has brackets. */
export const leadsToLoopback = ({ hostname }: URL): boolean =>
  isLoopback(hostname.replace(/^\[(.*)\]$/, '$1'));
