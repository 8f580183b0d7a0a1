import type { LookupAddress } from 'node:dns';
import { lookup as systemLookup } from 'node:dns/promises';
import http from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isLoopback } from '../../kit/loopback.ts';
import { type Reach, reachOf } from './addresses.ts';

/** For the service's own network. `on_request`: a setting can allow it. `loopback`: this machine itself is admitted. */
export type PrivateEndpoints = 'admitted' | 'loopback' | 'on_request' | 'refused';

/**
 * Connections to addresses that users enter. The agents check the address when they connect, so that a name cannot
 * resolve differently after the check. Callers must not follow redirects.
 */
export interface Outgoing {
  httpAgent: http.Agent;
  httpsAgent: https.Agent;
  /** Null if it is not refused now, or if its name does not resolve yet. */
  refusalOf(url: URL): Promise<string | null>;
  close(): void;
}

export interface OutgoingOptions {
  privateEndpoints: PrivateEndpoints;
  /** By default the system's resolver. */
  resolve?: (hostname: string) => Promise<LookupAddress[]>;
}

/** Libraries that do not pass on the error itself still pass on its `code` and `message`. */
export const ADDRESS_REFUSED = 'ERR_ADDRESS_REFUSED';

class AddressRefused extends Error {
  readonly code = ADDRESS_REFUSED;
  constructor(message: string) {
    super(message);
    this.name = 'AddressRefused';
  }
}

const LOOPBACK: LookupAddress[] = [
  { address: '127.0.0.1', family: 4 },
  { address: '::1', family: 6 },
];

export function createOutgoing(options: OutgoingOptions): Outgoing {
  const { privateEndpoints, resolve = (hostname) => systemLookup(hostname, { all: true }) } = options;

  function refusalOf(host: string, addresses: readonly string[]): AddressRefused | null {
    const reaches = addresses.map(reachOf);
    if (reaches.includes('never')) return refused(host, 'never', privateEndpoints);
    const isAdmitted =
      privateEndpoints === 'admitted' || (privateEndpoints === 'loopback' && addresses.every(isLoopback));
    if (reaches.includes('private') && !isAdmitted) return refused(host, 'private', privateEndpoints);
    return null;
  }

  async function addressesOf(hostname: string): Promise<LookupAddress[]> {
    const addresses = isLocalName(hostname) ? LOOPBACK : await resolve(hostname);
    const refusal = refusalOf(
      hostname,
      addresses.map(({ address }) => address),
    );
    if (refusal) throw refusal;
    return addresses;
  }

  const lookup: LookupFunction = (hostname, { all, family }, callback) => {
    addressesOf(hostname).then(
      (addresses) => {
        const wanted = addresses.filter((each) => !family || `${family}`.endsWith(`${each.family}`));
        if (all) return callback(null, wanted);
        const [first] = wanted;
        if (first) return callback(null, first.address, first.family);
        callback(new Error(`${hostname} has no address`), '');
      },
      (error: Error) => callback(error, ''),
    );
  };

  const httpAgent = checkingAddresses(new http.Agent({ keepAlive: true, lookup }), refusalOf);
  const httpsAgent = checkingAddresses(new https.Agent({ keepAlive: true, lookup }), refusalOf);
  return {
    httpAgent,
    httpsAgent,
    async refusalOf({ hostname }) {
      const host = hostname.replace(/^\[(.*)\]$/, '$1');
      if (isIP(host) !== 0) return refusalOf(host, [host])?.message ?? null;
      return addressesOf(host).then(
        () => null,
        (error: unknown) => (error instanceof AddressRefused ? error.message : null),
      );
    },
    close() {
      httpAgent.destroy();
      httpsAgent.destroy();
    },
  };
}

/** A numeric host is connected to without a look-up, so it is checked here. */
function checkingAddresses<Agent extends http.Agent>(
  agent: Agent,
  refusalOf: (host: string, addresses: readonly string[]) => AddressRefused | null,
): Agent {
  const connect = agent.createConnection.bind(agent);
  agent.createConnection = (options, callback) => {
    const host = String(options.host ?? options.hostname ?? '');
    const refusal = isIP(host) === 0 ? null : refusalOf(host, [host]);
    if (refusal === null) return connect(options, callback);
    callback?.(refusal, undefined as never);
    return undefined;
  };
  return agent;
}

/** Names of this machine, whatever a resolver says (RFC 6761). */
const isLocalName = (hostname: string): boolean => /(?:^|\.)localhost\.?$/i.test(hostname);

function refused(host: string, reach: Reach, privateEndpoints: PrivateEndpoints): AddressRefused {
  if (reach === 'never')
    return new AddressRefused(`${host} leads to an address that is never used as an endpoint`);
  const way =
    privateEndpoints === 'refused'
      ? 'This service reaches public addresses only'
      : 'Set ALLOW_PRIVATE_ENDPOINTS=true to allow it';
  return new AddressRefused(`${host} leads to a private address. ${way}`);
}
