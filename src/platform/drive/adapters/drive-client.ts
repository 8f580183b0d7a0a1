import { setTimeout as delay } from 'node:timers/promises';
import { createQueue } from '../../../kit/queue.ts';
import type { DriveTokens } from '../drive.ts';
import type { ClientSettings, DriveCall, Tried } from './drive-call.ts';
import type { Failure } from './failures.ts';
import { createPause } from './pause.ts';
import { sendOnce } from './send-once.ts';

export interface DriveClient {
  readonly requests: number;
  /** Rejects with `DriveError`. */
  call<Result>(call: DriveCall<Result>): Promise<Result>;
}

const AT_ONCE = 8;
const MOST_TRIES = 5;
const MOST_WAITING_MS = 30_000;

export function createDriveClient(settings: ClientSettings, tokens: DriveTokens): DriveClient {
  const { random, pauseMs, log } = settings;
  const pause = createPause();
  const inTurn = createQueue({
    atOnce: AT_ONCE,
    mostWaiting: Number.POSITIVE_INFINITY,
    whenFull: () => new Error('The queue is full'),
  });
  let requests = 0;

  async function authorized<Result>(call: DriveCall<Result>, tries: number): Promise<Tried<Result>> {
    const send = (token: string) => {
      requests += 1;
      return sendOnce(settings, call, { token, tries });
    };
    const token = await tokens.token();
    const tried = await send(token);
    const isRefused = 'failure' in tried && tried.failure.error.code === 'revoked';
    return isRefused ? send(await tokens.token(token)) : tried;
  }

  const waitOf = ({ error }: Failure, tries: number): number => {
    const backOffMs = pauseMs * 2 ** (tries - 1) * (1 + random() / 2);
    return Math.max(backOffMs, (error.retryAfter ?? 0) * 1_000);
  };

  return {
    get requests() {
      return requests;
    },
    async call(call) {
      let waitedMs = 0;
      for (let tries = 1; ; tries += 1) {
        const tried = await inTurn(async () => {
          await pause.over();
          return authorized(call, tries);
        });
        if ('result' in tried) return tried.result;
        const { error, retry } = tried.failure;
        const waitMs = waitOf(tried.failure, tries);
        waitedMs += waitMs;
        if (retry === 'never' || tries === MOST_TRIES || waitedMs > MOST_WAITING_MS) throw error;
        log.debug(`Google Drive is ${error.code}; once more in ${Math.round(waitMs)} ms`);
        if (retry === 'together') pause.begin(waitMs);
        else await delay(waitMs);
      }
    },
  };
}
