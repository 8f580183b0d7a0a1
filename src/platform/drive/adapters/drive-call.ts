import type { IncomingMessage } from 'node:http';
import type { Clock } from '../../../kit/clock.ts';
import type { Log } from '../../../kit/log.ts';
import type { Outgoing } from '../../outgoing/outgoing.ts';
import type { Failure } from './failures.ts';

export interface ClientSettings {
  /** Without a final slash. */
  apiBase: string;
  outgoing: Outgoing;
  clock: Clock;
  /** From 0 up to 1. */
  random: () => number;
  log: Log;
  /** Milliseconds until the head of an answer, and of silence in it. */
  answerMs: number;
  /** Milliseconds after the first failed try. */
  pauseMs: number;
}

/** The request of one try. */
export interface Sent {
  headers?: Readonly<Record<string, string>>;
  body?: string | Uint8Array;
}

export interface DriveCall<Result> {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT';
  /** After the base address; with the query. */
  path: string;
  /** The first try is 1. */
  send?(tries: number): Sent;
  /** Statuses besides 2xx that `read` understands. */
  accepts?: readonly number[];
  /** It continues from a page token. */
  isPage?: boolean;
  /** Throws `TryAgain`, a `DriveError`, or as the answer does if it breaks off. */
  read(answer: IncomingMessage, tries: number): Promise<Result>;
}

/** An answer that was read, but counts as a failed try. */
export class TryAgain extends Error {
  readonly failure: Failure;
  constructor(failure: Failure) {
    super(failure.error.message);
    this.failure = failure;
  }
}

export type Tried<Result> = { result: Result } | { failure: Failure };
