/** Messages are text. It closes by itself when the peer vanishes. */
export interface Connection {
  send(text: string): void;
  /** Bytes queued for a slow reader. */
  waiting(): number;
  /** A reason stays below 123 bytes. */
  close(code: number, reason: string): void;
  onMessage(listener: (text: string) => void): void;
  onClose(listener: () => void): void;
}

export interface ConnectRequest {
  query: Readonly<Record<string, string | undefined>>;
  /** The token of `Authorization: Bearer`, which browsers cannot send with a handshake. */
  bearer: string | null;
}

/** Close codes; those from 4000 on are ours. */
export const CLOSE = {
  goingAway: 1001,
  policy: 1008,
  tryLater: 1013,
  unauthenticated: 4401,
  notFound: 4404,
  tooMany: 4429,
} as const;
