import { type Heard, openTestSocket } from './sockets.ts';

export interface Follower {
  /** Logged events heard so far, each with its cursor. */
  events(): Heard[];
  stop(): Promise<void>;
}

/** Listens as an app does: after a disconnect it reconnects with the last cursor. */
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
    // Retries while nobody answers.
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
