import assert from 'node:assert/strict';
import { once as onceEmitted } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { startMortalService } from '../../../test/support/service-process.ts';
import { allTests, type Owner } from './browser.ts';
import { type WindowOptions, windowsOf } from './windows.ts';

export { noAxeFaults } from './axe.ts';
export type { WindowOptions } from './windows.ts';

export const OWNER = { email: 'ada@example.com', password: 'a long pass phrase', display_name: 'Ada' };

export interface Studio {
  url: string;
  /** The folder with the files of the world. */
  content: string;
  /** A window of its own, of somebody who is not signed in. */
  open(path: string, options?: WindowOptions): Promise<Page>;
  /** The account of `OWNER`. */
  makeOwner(): Promise<void>;
  /** Makes the owner, and signs them in, in a new window. */
  openAsOwner(path: string, options?: WindowOptions): Promise<Page>;
  /** Makes another account, unless a test of the file has made it. */
  add(person: typeof OWNER, role: 'editor' | 'viewer'): Promise<void>;
  /** The same, signed in in a window of its own. */
  openAs(person: typeof OWNER, role: 'editor' | 'viewer', path: string): Promise<Page>;
  /** `kill -9` of the service. */
  kill(): Promise<void>;
  /** `kill -9` as soon as the service has put one more file among those of the world. */
  killAtNextFile(): Promise<void>;
  /** After it was killed: at the same address, with the same files. */
  startAgain(): Promise<void>;
}

/** One for all tests of a file, started by the first one. Windows close after the test that opened them. */
export function shareStudio(env: Record<string, string> = {}): (t: Owner) => Promise<Studio> {
  let shared: Promise<SharedStudio> | undefined;
  return async (t) => {
    shared ??= startShared(env).then((studio) => {
      allTests.after(studio.end);
      return studio;
    });
    return (await shared).of(t);
  };
}

/** Starts the service with the sample world on SQLite and real files, and opens windows in it, until the test ends. */
export async function startStudio(t: Owner, env: Record<string, string> = {}): Promise<Studio> {
  const { of, end } = await startShared(env);
  const ends: (() => Promise<void>)[] = [];
  // Windows are closed first: one that is open when the service ends would show that as a fault.
  // The service ends in any case: node:test calls no further hook after one that throws.
  t.after(async () => {
    try {
      for (const each of ends) await each();
    } finally {
      await end();
    }
  });
  return of({ after: (each) => ends.push(each) });
}

interface SharedStudio {
  /** Its windows are closed when the owner ends, and must have had no faults. */
  of(owner: Owner): Studio;
  end(): Promise<void>;
}

async function startShared(env: Record<string, string>): Promise<SharedStudio> {
  const folder = mkdtempSync(join(tmpdir(), 'studio-'));
  const content = join(folder, 'content');
  let service = await startMortalService({ DATA_DIR: folder, ...env });
  const { url } = service;
  const owner = once(async (): Promise<string> => {
    const reply = await post(url, '/api/auth/register', OWNER);
    return (await reply.json()).access_token;
  });

  const people = new Map<string, Promise<void>>();
  function add(person: typeof OWNER, role: string): Promise<void> {
    const added = people.get(person.email) ?? accept(person, role);
    people.set(person.email, added);
    return added;
  }

  async function accept({ email, password, display_name }: typeof OWNER, role: string) {
    const invite = await post(url, '/api/invites', { email, role }, await owner());
    const { token } = await invite.json();
    await post(url, '/api/auth/accept-invite', { token, password, display_name });
  }

  return {
    of(t) {
      const windows = windowsOf(t, url);
      return {
        url,
        content,
        open: windows.open,
        async makeOwner() {
          await owner();
        },
        async openAsOwner(path, options) {
          await owner();
          return windows.openSignedIn(OWNER, path, options);
        },
        add,
        async openAs(person, role, path) {
          await add(person, role);
          return windows.openSignedIn(person, path);
        },
        async kill() {
          await service.end('SIGKILL');
        },
        killAtNextFile: () => service.dieAfter(1, content),
        async startAgain() {
          // Until a service that was told to die is gone, its port is taken.
          if (service.process.signalCode === null) await onceEmitted(service.process, 'exit');
          service = await startMortalService({ DATA_DIR: folder, ...env, BIND_ADDR: new URL(url).host });
        },
      };
    },
    async end() {
      await service.end('SIGTERM');
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function once<Value>(make: () => Promise<Value>): () => Promise<Value> {
  let made: Promise<Value> | undefined;
  return () => (made ??= make());
}

async function post(url: string, path: string, body: unknown, token?: string): Promise<Response> {
  const reply = await fetch(`${url}${path}`, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    },
    body: JSON.stringify(body),
  });
  assert.ok(reply.ok, `${path}: ${reply.status} ${reply.ok ? '' : await reply.text()}`);
  return reply;
}
