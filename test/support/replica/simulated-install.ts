import { ABSENT, keyStep } from '../../../src/content/replica/index.ts';
import { afterPush, agreed, type Known, UNKNOWN } from './known.ts';
import { planReplica } from './plan.ts';
import { FILE, type Pulled, type Push, type PushReply, pushOf } from './simulated-hub.ts';

/** May lose, repeat and delay messages. */
export interface Wire {
  push(pushes: readonly Push[]): PushReply[];
  pull(cursor: number): { items: Pulled[]; cursor: number };
}

/** Survives a crash. */
export interface Disk {
  tree: Map<string, string>;
  known: Map<string, Known>;
  /** Received, but not writable yet. */
  inbox: Map<string, Pulled>;
  cursor: number;
}

export const emptyDisk = (): Disk => ({ tree: new Map(), known: new Map(), inbox: new Map(), cursor: 0 });

/** `step` is called between any two writes and may throw, as a crash does. */
export function createSimulatedInstall(disk: Disk, wire: Wire, step: () => void) {
  const { tree, known, inbox } = disk;
  const stateOf = (key: string): Known => known.get(key) ?? UNKNOWN;

  function write(key: string, text: string | undefined): void {
    step();
    if (text === undefined) tree.delete(key);
    else tree.set(key, text);
  }

  function remember(key: string, state: Known): void {
    step();
    known.set(key, state);
  }

  function keepCopy(key: string, text: string | undefined): void {
    if (!key.startsWith(FILE) || text === undefined) return;
    let copy = `${key} (conflict ${text})`;
    while (tree.has(copy) && tree.get(copy) !== text) copy += ' again';
    if (!tree.has(copy)) write(copy, text);
  }

  function take(item: Pulled): void {
    const { key, text, version } = item;
    const state = stateOf(key);
    const local = tree.get(key);
    const next = keyStep(state, local, text);
    if (next === 'merge' || (next === 'push' && text !== state.synced)) {
      inbox.set(key, item);
      return;
    }
    if (next === 'push' || next === 'push_deletion') {
      remember(key, { ...state, version });
      inbox.delete(key);
      return;
    }
    if (local !== text) {
      if (local !== state.synced) keepCopy(key, local);
      write(key, text);
    }
    remember(key, agreed(text, version));
    inbox.delete(key);
  }

  function pull(): void {
    const reply = wire.pull(disk.cursor);
    for (const item of reply.items) take(item);
    step();
    disk.cursor = reply.cursor;
  }

  /** True if something superseded waits for the hub's version, so that a full listing is needed. */
  const isAwaiting = (): boolean =>
    [...known].some(([key, { sent }]) => sent !== undefined && sent === (tree.get(key) ?? ABSENT));

  function remote(): Map<string, string> {
    const texts = new Map(
      [...known].flatMap(([key, { synced }]) => (synced === undefined ? [] : [[key, synced]])),
    );
    for (const [key, { text }] of inbox) {
      if (text === undefined) texts.delete(key);
      else texts.set(key, text);
    }
    return texts;
  }

  function push(): { sent: number; superseded: number } {
    const steps = planReplica({ local: tree, remote: remote(), known });
    const isPush = ({ step }: { step: string }) => ['push', 'push_deletion', 'merge'].includes(step);
    const pushes = steps.filter(isPush).map(({ key }) => pushOf(key, tree.get(key), stateOf(key)));
    if (pushes.length === 0) return { sent: 0, superseded: 0 };
    const replies = wire.push(pushes);
    for (const [at, reply] of replies.entries()) {
      const { key, text } = pushes[at] ?? { key: '', text: undefined };
      remember(key, afterPush(stateOf(key), text, reply));
      if (reply.kind === 'stored') inbox.delete(key);
    }
    return { sent: pushes.length, superseded: replies.filter(({ kind }) => kind === 'superseded').length };
  }

  return {
    /** Resolves to the number of changes sent. */
    round(): { sent: number } {
      pull();
      const { sent, superseded } = push();
      if (superseded > 0) pull();
      for (const item of [...inbox.values()]) take(item);
      if (isAwaiting()) {
        disk.cursor = 0;
        pull();
      }
      return { sent };
    },
  };
}
