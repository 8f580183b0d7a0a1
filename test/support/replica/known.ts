import { ABSENT, type KeyState, NOTHING_KNOWN } from '../../../src/content/replica/index.ts';

/** What an installation remembers of a key: its state, and the hub's number of that. */
export interface Known extends KeyState {
  version: number;
}

export const UNKNOWN: Known = { ...NOTHING_KNOWN, version: 0 };

/** Once both sides have the same. */
export const agreed = (text: string | undefined, version: number): Known => ({
  synced: text,
  version: text === undefined ? 0 : version,
  sent: undefined,
});

/** After `text` was sent, which was made from what was synced. */
export const afterPush = (
  known: Known,
  text: string | undefined,
  reply: { kind: 'stored'; version: number } | { kind: 'superseded' },
): Known => (reply.kind === 'stored' ? agreed(text, reply.version) : { ...known, sent: text ?? ABSENT });
