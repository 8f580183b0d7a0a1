import { type Draft, isUnsaved } from './draft.ts';
import { nameOf } from './outgoing.ts';

/** Why a draft waits in this browser. */
export type KeptReason = 'offline' | 'service' | 'sign-in';

/** The refusal of a whole draft, which stands until the user does something. */
export interface Refused {
  status: number;
  /** Of the service; `gone` where the entity was deleted, `id_taken` where a new one's id is another's. */
  code: string;
  detail: string;
  /** A free id, perhaps. */
  suggestion: string | null;
}

/** The progress of saving one draft; nothing of it outlives the page. */
export interface Run {
  isSaving: boolean;
  /** Of the first change since the last save. */
  firstChangeAt: number | null;
  failures: number;
  kept: { reason: KeptReason; since: number } | null;
  refused: Refused | null;
  /** Messages by path. */
  refusedParts: Readonly<Record<string, string>>;
}

export const IDLE: Run = {
  isSaving: false,
  firstChangeAt: null,
  failures: 0,
  kept: null,
  refused: null,
  refusedParts: {},
};

/** The one line of truth. `saved` only if the service has acknowledged what is on the screen. */
export type SaveState =
  | { kind: 'saved' }
  | { kind: 'saving' }
  | { kind: 'kept'; reason: KeptReason | 'no-name'; since: number }
  | { kind: 'conflict'; with: string | null; parts: string[] }
  | { kind: 'refused'; why: Refused | null; parts: Readonly<Record<string, string>> };

export function saveStateOf(draft: Draft, run: Run): SaveState {
  if (!isUnsaved(draft)) return { kind: 'saved' };
  if (run.refused || Object.keys(run.refusedParts).length > 0)
    return { kind: 'refused', why: run.refused, parts: run.refusedParts };
  const conflicts = Object.entries(draft.conflicts);
  const first = conflicts[0];
  if (first) return { kind: 'conflict', with: first[1].by, parts: conflicts.map(([path]) => path) };
  if (run.kept) return { kind: 'kept', ...run.kept };
  if (draft.base === null && nameOf(draft) === '')
    return { kind: 'kept', reason: 'no-name', since: draft.changed_at };
  return { kind: 'saving' };
}
