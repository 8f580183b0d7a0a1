import { join } from 'node:path';
import { NO_LIMITS } from '../../test/support/no-limits.ts';
import type { World } from '../world.ts';
import { type Child, startChild } from './child.ts';
import { freshFolder } from './fresh-folder.ts';

const PROGRAM = join(import.meta.dirname, '..', '..', 'dist', 'canonry.js');

export interface Service {
  url: string;
  token: string;
  child: Child;
  dataDir: string;
  /** Milliseconds from the spawn to the first reply of `/health`. */
  healthMs: number;
  call<Body = Record<string, unknown>>(method: string, path: string, body?: unknown): Promise<Body>;
  stop(): Promise<void>;
}

export interface ServiceOptions {
  /** An existing folder of state; a new one by default. */
  dataDir?: string;
  /** An access token of an account in that state. Without it somebody signs in first, which costs a password hash. */
  token?: string;
  env?: Record<string, string>;
  flags?: readonly string[];
}

export const CREDENTIALS = { email: 'bench@example.com', password: 'a passphrase for the bench' };

/** Runs the built service on a content folder, in its own process, and signs in. */
export async function startService(content: World, options: ServiceOptions = {}): Promise<Service> {
  const dataDir = options.dataDir ?? freshFolder('data');
  const started = performance.now();
  const child = startChild([...(options.flags ?? []), PROGRAM, 'serve'], {
    DATA_DIR: dataDir,
    CONTENT_DIR: content.folder,
    DATABASE_URL: `sqlite:${join(dataDir, 'canonry.db')}`,
    JWT_SECRET: 'bench bench bench bench bench bench bench',
    ENCRYPTION_KEY: Buffer.alloc(32, 7).toString('base64'),
    BIND_ADDR: '127.0.0.1:0',
    ...NO_LIMITS,
    REGISTRATION: 'open',
    ...options.env,
  });
  const url = await child.says(/listening on (http:\S+)/);
  await fetch(`${url}/health`);
  const healthMs = performance.now() - started;
  const token = options.token ?? (await signInAs(url, CREDENTIALS.email));
  return {
    url,
    token,
    child,
    dataDir,
    healthMs,
    call: (method, path, body) => call(`${url}${path}`, method, token, body),
    stop: () => child.stop(),
  };
}

/** Returns an access token of a person, whose account is created on first use. */
export async function signInAs(url: string, email: string): Promise<string> {
  const post = (path: string, body: object) =>
    fetch(`${url}/api/auth/${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify(body),
    });
  const login = await post('login', { ...CREDENTIALS, email });
  const reply = login.ok ? login : await post('register', { ...CREDENTIALS, email, display_name: 'Bench' });
  if (!reply.ok) throw new Error(`signing in answered ${reply.status}: ${await reply.text()}`);
  return ((await reply.json()) as { access_token: string }).access_token;
}

async function call<Body>(url: string, method: string, token: string, body: unknown): Promise<Body> {
  const reply = await fetch(url, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(body !== undefined && { 'content-type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
  });
  const text = await reply.text();
  if (!reply.ok) throw new Error(`${method} ${url} answered ${reply.status}: ${text}`);
  return JSON.parse(text) as Body;
}
