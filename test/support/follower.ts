import { type Heard, openTestSocket } from './sockets.ts';

export interface Follower {
  /** What was heard so far and can be caught up with: each with its cursor. */
  events(): Heard[];
  stop(): Promise<void>;
}

/** Listens as an app does: a connection that ends is opened again with the cursor of what was heard last. */
export function followEvents(
  url: string,
  { token, project_id, cursor }: { token: string; project_id: string; cursor: string },
): Follower {
  const address = `${url.replace('http', 'ws')}/api/ws`;
  const former: Heard[] = [];
  let present: Heard[] = [];
  let isStopped = false;
  let close = (): void => {};
  const events = () =>
    [...former, ...present].filter((event) => event.type !== 'ready' && event.cursor !== undefined);

  async function listen(): Promise<void> {
    const from = events().at(-1)?.cursor ?? cursor;
    const socket = await openTestSocket(address, { token, project_id, cursor: String(from) });
    present = socket.heard;
    close = () => socket.peer.close();
    if (isStopped) close();
    await socket.closed;
    former.push(...present);
    present = [];
  }
  const work = (async () => {
    // While nobody answers there it is tried again.
    while (!isStopped) await listen().catch(() => {});
  })();
  return {
    events,
    async stop() {
      isStopped = true;
      close();
      await work;
    },
  };
}
