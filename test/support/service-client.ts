import assert from 'node:assert/strict';
import type { ServiceProcess } from './service-process.ts';
import { until } from './until.ts';

const ACCOUNT = { email: 'writer@example.com', password: 'correct horse battery', display_name: 'Writer' };

/** One writer's requests to a running service; an error status fails the test. */
export interface ServiceClient {
  token: string;
  call<Body>(method: string, path: string, body?: object): Promise<Body>;
  /** Resolves when the initial comparison of folder and rows is over. */
  settled(): Promise<void>;
  /** Compares everything; resolves to the number created, updated and deleted. */
  sync(): Promise<[number, number, number]>;
}

interface SyncReport {
  status: string;
  created: number;
  updated: number;
  deleted: number;
}

/** Registers as the first user, or signs in. */
export async function signIn(
  { url }: Pick<ServiceProcess, 'url'>,
  how: 'register' | 'login',
): Promise<ServiceClient> {
  const call = callerOf(url);
  const { access_token } = await call<{ access_token: string }>('POST', `/api/auth/${how}`, ACCOUNT);
  const asWriter = callerOf(url, access_token);
  return {
    token: access_token,
    call: asWriter,
    settled: () =>
      until(async () => {
        const status = await call<{ running: boolean; last: unknown }>('GET', '/api/sync/status');
        return !status.running && status.last !== null;
      }),
    async sync() {
      const report = await asWriter<SyncReport>('POST', '/api/sync/refresh-all');
      const { status, created, updated, deleted } = report;
      assert.equal(status, 'completed');
      return [created, updated, deleted];
    },
  };
}

/** Anonymously or with a token. */
export const callerOf =
  (url: string, token?: string, extra: Record<string, string> = {}): ServiceClient['call'] =>
  async <Body>(method: string, path: string, body?: object): Promise<Body> => {
    const reply = await fetch(`${url}${path}`, {
      method,
      headers: {
        prefer: 'wait=60',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(body && { 'content-type': 'application/json' }),
        ...extra,
      },
      ...(body && { body: JSON.stringify(body) }),
    });
    const text = await reply.text();
    assert.ok(reply.ok, `${method} ${path}: ${reply.status} ${text}`);
    return JSON.parse(text) as Body;
  };
