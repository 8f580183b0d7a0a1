import { constants, setPriority } from 'node:os';
import process from 'node:process';
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { createBoundedLog } from './thread/bounded-log.ts';
import { createBridge } from './thread/bridge.ts';
import { createInstance, type Instance } from './thread/instance.ts';
import { createLines } from './thread/lines.ts';
import {
  type CallOrder,
  CELL,
  type Outcome,
  type ThreadMessage,
  type ThreadStart,
} from './thread/messages.ts';
import { lockThread } from './thread/realm.ts';
import { failureOf, runCall } from './thread/run-call.ts';
import { createWasi } from './thread/wasi.ts';

// Requests come first. Only Linux has priorities of threads; elsewhere it would be the whole process.
if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);

const port = parentPort;
if (port === null) throw new Error('a guest runs in a worker thread');
const { prepared, shared }: ThreadStart = workerData;

const { crypto, performance } = globalThis;
/** Longer than any call may take. */
const LONGEST_SLEEP_MS = 60_000;
const asleep = new Int32Array(new SharedArrayBuffer(4));
const post = (message: ThreadMessage): void => port.postMessage(message);

/** Node before 23.9 cannot tell. */
function workedMs(): number {
  if (!('threadCpuUsage' in process)) return 0;
  const { user, system } = process.threadCpuUsage();
  return (user + system) / 1_000;
}

const postEnd = (outcome: Outcome): void => post({ ...outcome, workedMs: workedMs() });

const log = createBoundedLog((level, message) => post({ type: 'log', level, message }), shared);
const lines = createLines(log.write);
const bridge = createBridge({ post, receive: () => receiveMessageOnPort(port)?.message, shared, log });
const wasi = createWasi({
  now: Date.now,
  elapsed: () => performance.now(),
  sleep(ms) {
    const slept = Math.min(ms, LONGEST_SLEEP_MS);
    Atomics.add(shared, CELL.slept, Math.ceil(slept));
    Atomics.wait(asleep, 0, 0, slept);
  },
  random: (bytes) => crypto.getRandomValues(bytes),
  write: lines.add,
});

function begin(): Instance | null {
  try {
    const instance = createInstance(prepared, { ...bridge.imports, ...wasi });
    postEnd({ type: 'done', result: null, isLast: false });
    return instance;
  } catch (error) {
    postEnd(failureOf(error, null, bridge));
    return null;
  }
}

lockThread();
const instance = begin();

port.on('message', (order: CallOrder) => {
  if (instance === null) return;
  log.begin();
  bridge.begin();
  const outcome = runCall(instance, bridge, order);
  lines.end('out');
  lines.end('err');
  try {
    postEnd(outcome);
  } catch {
    postEnd({ type: 'failed', code: 'bad_result', message: 'Its result has parts that are no data' });
  }
});
