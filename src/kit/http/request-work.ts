import type { ServerResponse } from 'node:http';
import { finished } from 'node:stream';
import type { FastifyRequest, onRequestAsyncHookHandler } from 'fastify';
import { type Contract, memoryOf } from '../contract.ts';
import { type Admitted, admit } from './admit.ts';
import type { MountOptions } from './mount-options.ts';

interface RequestWork {
  admitted: Admitted;
  hold(bytes: number): Promise<void>;
  /** Work that continues after the reply and keeps the memory reserved. */
  goesOn(work: Promise<unknown>): void;
  /** No memory is released between the two. */
  begin(): void;
  end(): void;
}

const works = new WeakMap<FastifyRequest, RequestWork>();

export const workOf = (request: FastifyRequest): RequestWork | undefined => works.get(request);

const bytesOfBody = ({ headers, raw }: FastifyRequest, { bodyLimit }: Contract): number =>
  headers['content-length'] === undefined && !raw.readableEnded
    ? bodyLimit
    : Number(headers['content-length'] ?? 0);

/**
 * Runs before the body is read: it identifies the caller, so that an unauthorized body is never read, then reserves memory.
 * Undefined for routes that cost little.
 */
export function beforeBody(contract: Contract, options: MountOptions): onRequestAsyncHookHandler | undefined {
  const { holdBytes } = options;
  if (holdBytes === undefined || memoryOf(contract, 0) === null) return undefined;
  return async (request, { raw }) => {
    const admitted = await admit(contract, request, options);
    const work = createWork(admitted, raw, (bytes) => holdBytes(admitted.tenantId, bytes));
    works.set(request, work);
    const bytes = memoryOf(contract, bytesOfBody(request, contract)) ?? 0;
    if (bytes > 0) await work.hold(bytes);
  };
}

function createWork(
  admitted: Admitted,
  response: ServerResponse,
  holdBytes: (bytes: number) => Promise<() => void>,
): RequestWork {
  const releases: (() => void)[] = [];
  let isRunning = false;
  let isSent = false;
  let goingOn = 0;
  const releaseIfOver = () => {
    if (isRunning || !isSent || goingOn > 0) return;
    for (const release of releases.splice(0)) release();
  };
  finished(response, () => {
    isSent = true;
    releaseIfOver();
  });
  return {
    admitted,
    async hold(bytes) {
      releases.push(await holdBytes(bytes));
      releaseIfOver();
    },
    goesOn(work) {
      const over = () => {
        goingOn -= 1;
        releaseIfOver();
      };
      goingOn += 1;
      work.then(over, over);
    },
    begin() {
      isRunning = true;
    },
    end() {
      isRunning = false;
      releaseIfOver();
    },
  };
}
