import type { TemplateDefinition } from '../../content/template/index.ts';
import { messageOf } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import { FilesError, type FilesErrorCode } from '../../platform/files/files.ts';
import {
  type EntityState,
  type ImportItem,
  type ReadTexts,
  readTextsHere,
  type TextToRead,
} from '../texts/index.ts';
import type { FromScanner, NumberedText, ScanRequest, ScanSummary, ToScanner } from './protocol.ts';

/** A thread with a scan host, like one of `node:worker_threads`; tests may run one in their own thread. */
export interface ScannerThread {
  postMessage(message: ToScanner): void;
  on(event: 'message', listener: (message: FromScanner) => void): unknown;
  on(event: 'error', listener: (error: Error) => void): unknown;
  on(event: 'exit', listener: () => void): unknown;
  ref(): void;
  unref(): void;
  terminate(): Promise<unknown>;
}

export interface ScanHandlers {
  /** Called in order, one at a time; the scanner waits for it. */
  onItems(items: ImportItem[]): Promise<void>;
  onWalked(summary: ScanSummary): void;
}

interface Channel {
  receive(message: FromScanner): void;
  fail(error: Error): void;
}

/** The error of a scan whose scanner died; the next scan starts another one. */
export class ScannerLost extends Error {}

export interface ScannerClient {
  /** Grows with each start of a scanner, which has no state of earlier ones. Starts one if none runs. */
  generation(): number;
  post(message: ToScanner): void;
  /** Makes a running scanner forget a project. */
  forget(project: string): void;
  scan(project: string, request: ScanRequest, handlers: ScanHandlers): Promise<void>;
  /** Many texts are read by the scanner and few in this thread, since a trip to another thread takes longer. */
  readTexts: ReadTexts;
  close(): Promise<void>;
}

/** Milliseconds without work after which the scanner ends: for a large project it holds tens of megabytes. */
const IDLE_MS = 5_000;
const FEW = 16;

/** One scanner for all projects, started on demand, ended when idle and started again if it died. */
export function createScannerClient(start: () => ScannerThread, idleMs = IDLE_MS): ScannerClient {
  const channels = new Map<string, Channel>();
  let thread: ScannerThread | null = null;
  let generation = 0;
  const idle = setTimeout(() => {
    if (channels.size === 0) void end('it was idle');
  }, idleMs).unref();

  function running(): ScannerThread {
    idle.refresh();
    if (thread) return thread;
    generation += 1;
    const own = start();
    const lost = (reason: string) => {
      if (thread === own) lose(reason);
    };
    own.on('message', (message) => channels.get(message.run)?.receive(message));
    own.on('error', (error) => lost(messageOf(error)));
    own.on('exit', () => lost('it exited'));
    own.unref();
    thread = own;
    return own;
  }

  function lose(reason: string): void {
    thread = null;
    for (const channel of channels.values()) channel.fail(new ScannerLost(`the scanner ended: ${reason}`));
    channels.clear();
  }

  async function end(reason: string): Promise<void> {
    const ending = thread;
    if (ending) lose(reason);
    await ending?.terminate();
  }

  function ask<Answer>(question: ToScanner, answer: Promise<Answer>): Promise<Answer> {
    const asked = running();
    // Only a request keeps the process alive; an idle scanner does not.
    asked.ref();
    asked.postMessage(question);
    return answer.finally(() => {
      if (channels.size > 0) return;
      asked.unref();
      idle.refresh();
    });
  }

  return {
    generation() {
      running();
      return generation;
    },
    post: (message) => running().postMessage(message),
    forget: (project) => thread?.postMessage({ type: 'close', project }),
    scan(project, request, handlers) {
      const run = newId();
      const finished = new Promise<void>((resolve, reject) => {
        let handled = Promise.resolve();
        const fail = (error: unknown) => {
          if (channels.delete(run)) thread?.postMessage({ type: 'cancel', run });
          reject(error);
        };
        const handleItems = async (items: ImportItem[]) => {
          if (!channels.has(run)) return;
          await handlers.onItems(items);
          thread?.postMessage({ type: 'ack', run });
        };
        channels.set(run, {
          fail: reject,
          receive(message) {
            if (message.type === 'walked') handlers.onWalked(message.summary);
            else if (message.type === 'items') handled = handled.then(() => handleItems(message.items));
            else {
              handled = handled.then(() => {
                channels.delete(run);
                if (message.type === 'failed') reject(errorOf(message));
                else resolve();
              });
            }
            handled.catch(fail);
          },
        });
      });
      return ask({ type: 'scan', project, run, request }, finished);
    },
    async readTexts(texts) {
      if (texts.length < FEW) return readTextsHere(texts);
      const run = newId();
      const { promise, resolve, reject } = Promise.withResolvers<(EntityState | undefined)[]>();
      channels.set(run, {
        fail: reject,
        receive(message) {
          channels.delete(run);
          if (message.type === 'read') resolve(message.states);
          else if (message.type === 'failed') reject(errorOf(message));
        },
      });
      try {
        return await ask({ type: 'read', run, ...numbered(texts) }, promise);
      } catch {
        // The texts do not need a thread: it may have ended, or the system has none left.
        channels.delete(run);
        return readTextsHere(texts);
      }
    },
    async close() {
      clearTimeout(idle);
      await end('it was closed');
    },
  };
}

/** The texts with each definition listed once, since a thread gets a copy of every message. */
function numbered(texts: readonly TextToRead[]): {
  definitions: TemplateDefinition[];
  texts: NumberedText[];
} {
  const definitions = [...new Set(texts.map(({ template }) => template))];
  const numbers = new Map(definitions.map((template, number) => [template, number]));
  return {
    definitions,
    texts: texts.map(({ template, path, text }) => ({ definition: numbers.get(template) ?? 0, path, text })),
  };
}

const errorOf = ({ code, message }: Extract<FromScanner, { type: 'failed' }>): Error =>
  code === 'internal' ? new Error(message) : new FilesError(code as FilesErrorCode, '', message);
