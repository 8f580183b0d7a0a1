import { isIP } from 'node:net';
import { resolve } from 'node:path';
import { leadsToLoopback } from '../loopback.ts';
import { Fault } from './config-error.ts';

export interface BindAddress {
  host: string;
  /** 0 picks a free port. */
  port: number;
}

export type CatalogPlace = { kind: 'file'; path: string } | { kind: 'address'; url: string };

export type DatabaseUrl = { kind: 'sqlite'; path: string } | { kind: 'postgres'; url: string };

export const parseFolder = (text: string): string => resolve(text);

/** `127.0.0.1:8000`, `localhost:0` or `[::1]:8000`. */
export function parseBindAddress(text: string): BindAddress {
  const [, bracketed, plain, port] = /^(?:\[([^\]]+)\]|([^:\s]+)):(\d{1,5})$/.exec(text) ?? [];
  const host = bracketed ?? plain;
  if (host === undefined || (bracketed !== undefined && isIP(bracketed) !== 6)) {
    throw new Fault(`is '${text}', but must be HOST:PORT, an IPv6 host in brackets`);
  }
  if (Number(port) > 65_535) throw new Fault(`has the port ${port}, but the highest is 65535`);
  return { host, port: Number(port) };
}

/** `sqlite:PATH`, `sqlite://PATH`, `postgres://…` or `postgresql://…`. */
export function parseDatabaseUrl(text: string): DatabaseUrl {
  if (/^postgres(?:ql)?:\/\//.test(text)) {
    if (!URL.canParse(text)) throw new Fault('is not a valid PostgreSQL address');
    return { kind: 'postgres', url: text };
  }
  const path = /^sqlite:(?:\/\/)?(.*)$/.exec(text)?.[1];
  if (path === undefined) throw new Fault('must begin with sqlite: or postgres://');
  if (path === '' || path === ':memory:' || path.includes('?')) {
    throw new Fault('must name a file after sqlite:, without parameters');
  }
  return { kind: 'sqlite', path: resolve(path) };
}

/** An address with one of the `schemes`. The message leaves the address out: it may hold a password. */
export const parseUrl =
  (...schemes: readonly string[]) =>
  (text: string): string => {
    const url = URL.parse(text);
    if (url === null || !schemes.includes(url.protocol.slice(0, -1)) || url.hostname === '') {
      throw new Fault(
        `must be an address that begins with ${schemes.map((scheme) => `${scheme}://`).join(' or ')}`,
      );
    }
    return text.replace(/\/+$/, '');
  };

/** A browser's origin: scheme, host and port, nothing after. */
export function parseOrigin(text: string): string {
  if (text === '*') throw new Fault("is '*', but must list the origins, since requests carry credentials");
  const url = URL.parse(text);
  if (
    url === null ||
    !/^https?:$/.test(url.protocol) ||
    `${url.protocol}//${url.host}` !== text.toLowerCase()
  ) {
    throw new Fault(`has '${text}', but an origin is only http(s)://HOST[:PORT]`);
  }
  return url.origin;
}

/** An origin whose first name may be `*`. */
export function parsePluginOrigin(text: string): string {
  const origin = parseOrigin(text.replace('//*.', '//any.'));
  return text.includes('//*.') ? origin.replace('//any.', '//*.') : origin;
}

/** The path of a file, or an address that nobody on the way can read along; http alone leads to this machine at most. */
export function parseCatalogPlace(text: string): CatalogPlace {
  if (!/^[a-z][a-z0-9+.-]+:/i.test(text)) return { kind: 'file', path: resolve(text) };
  const url = URL.parse(text);
  const isSafe = url?.protocol === 'https:' || (url?.protocol === 'http:' && leadsToLoopback(url));
  if (url === null || !isSafe)
    throw new Fault('must be the path of a file, or an address that begins with https://');
  if (url.username !== '' || url.password !== '')
    throw new Fault('has a user name or password, but must be an address that needs none');
  return { kind: 'address', url: url.href };
}

const PROXY_GROUPS = ['loopback', 'linklocal', 'uniquelocal'];

/** An address, a range such as `10.0.0.0/8`, or one of loopback, linklocal, uniquelocal. */
export function parseProxy(text: string): string {
  const [address = '', bits, ...rest] = text.split('/');
  const family = isIP(address);
  const fits = bits === undefined || (/^\d{1,3}$/.test(bits) && Number(bits) <= (family === 4 ? 32 : 128));
  if (PROXY_GROUPS.includes(text) || (family !== 0 && fits && rest.length === 0)) return text;
  throw new Fault(
    `has '${text}', but takes IP addresses, ranges in CIDR form and ${PROXY_GROUPS.join(', ')}`,
  );
}
