import assert from 'node:assert/strict';
import type { FastifyInstance } from 'fastify';
import type { Answer } from './auth.ts';

interface Asked {
  body?: object | undefined;
  headers?: Record<string, string> | undefined;
}

/** A browser on a page of `origin`: it keeps cookies, and sends all of them to every port of the host, as browsers do. */
export interface TestBrowser {
  cookies: Map<string, string>;
  ask(app: FastifyInstance, method: string, url: string, asked?: Asked): Promise<Answer & { set: string[] }>;
}

export function openBrowser(origin: string): TestBrowser {
  const cookies = new Map<string, string>();
  return {
    cookies,
    async ask(app, method, url, { body, headers } = {}) {
      const reply = await app.inject({
        method: method as 'GET',
        url,
        ...(body && { payload: body }),
        headers: {
          host: new URL(origin).host,
          ...(method !== 'GET' && { origin }),
          ...(cookies.size > 0 && { cookie: [...cookies].map((pair) => pair.join('=')).join('; ') }),
          ...headers,
        },
      });
      const set = [reply.headers['set-cookie'] ?? []].flat();
      for (const cookie of set) keep(cookies, cookie);
      const text = reply.body === '' ? '{}' : reply.body;
      const received = String(reply.headers['content-type']).includes('json') ? JSON.parse(text) : {};
      return { status: reply.statusCode, headers: reply.headers, body: received, set };
    },
  };
}

function keep(cookies: Map<string, string>, cookie: string): void {
  const [, name, value, rest] = /^([^=]+)=([^;]*);(.*)$/.exec(cookie) ?? [];
  assert.ok(name !== undefined && value !== undefined && rest !== undefined, cookie);
  if (/Max-Age=0;/.test(rest)) cookies.delete(name);
  else cookies.set(name, value);
}
