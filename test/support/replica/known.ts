import { ABSENT, type KeyState, NOTHING_KNOWN } from '../../../src/content/replica/index.ts';

/** An installation's state of a key, with the hub's version. */
export interface Known extends KeyState {
  version: number;
}

export const UNKNOWN: Known = { ...NOTHING_KNOWN, version: 0 };

/** Both sides have the same. */
export const agreed = (text: string | undefined, version: number): Known => ({
  synced: text,
  version: text === undefined ? 0 : version,
  sent: undefined,
});

/** After `text` was sent, made from what was synced. */
export const afterPush = (
  known: Known,
  text: string | undefined,
  reply: { kind: 'stored'; version: number } | { kind: 'superseded' },
): Known => (reply.kind === 'stored' ? agreed(text, reply.version) : { ...known, sent: text ?? ABSENT });
