import {
  type Draft,
  type DraftKey,
  type EntityState,
  isLocal,
  type Sending,
  withoutEqual,
} from '../../domain/drafts/draft.ts';
import { nextId } from '../../domain/drafts/new-id.ts';
import {
  createBody,
  isTaken,
  mayOutliveThePage,
  outgoing,
  saveBody,
  takenParts,
} from '../../domain/drafts/outgoing.ts';
import {
  mayBeTaken,
  type Refusal,
  refusalOf,
  refusedParts,
  verdictOn,
  wasRefusedBefore,
} from '../../domain/drafts/refusal.ts';
import { type RebaseBody, takeIn } from '../../domain/drafts/take-in.ts';
import { BODY } from '../../domain/field-path.ts';
import type { Book } from './book.ts';
import type { EntityApi } from './entity-api.ts';

/**
 * The result of an attempt: the service has the sent changes; something can be sent at once; there was nothing to send;
 * sign in first; try later; or the user must do something.
 */
export type Outcome =
  | { kind: 'taken' | 'again' | 'nothing' | 'sign-in' | 'refused' }
  | { kind: 'later'; reason: 'offline' | 'service'; retryAfter: number | undefined };

/** The request that failed: a save, the same save again after its answer was lost, or reading the entity. */
type Asked = 'first' | 'repeat' | 'read';

export interface SendOptions {
  book: Book;
  api: EntityApi;
  rebaseBody: RebaseBody;
  onMoved(from: DraftKey, to: DraftKey): void;
}

/** One attempt to save a draft, with everything that can come of it. Never rejects. */
export function createSend({ book, api, rebaseBody, onMoved }: SendOptions) {
  const draftOf = (key: DraftKey): Draft => book.required(key).view.draft;

  /** A page that was left and came back may hear the answer to one save twice. */
  const isOpen = (key: DraftKey, sent: Sending): boolean => book.find(key)?.view.draft.sending === sent;

  async function attempt(key: DraftKey): Promise<Outcome> {
    const lost = draftOf(key).sending;
    if (lost) {
      const settled = await settle(key, lost);
      if (settled) return settled;
    }
    const sent = outgoing(draftOf(key), Object.keys(book.required(key).run.refusedParts));
    if (sent === null) return { kind: 'nothing' };
    // Kept before it is sent: a page that ends now leaves behind what must be settled.
    await book.set({ ...draftOf(key), sending: sent });
    try {
      return await accept(key, sent, await transmit(key, sent));
    } catch (error) {
      return failed(key, sent, error, lost ? 'repeat' : 'first');
    }
  }

  const transmit = (
    key: DraftKey,
    sent: Sending,
    keepalive = false,
  ): Promise<EntityState & { merged?: boolean }> =>
    sent.base_version === null
      ? api.create(key, createBody(sent), { keepalive })
      : api.save(key, saveBody(sent), { keepalive });

  /** Undefined where what was sent must be sent again as it was: the service merges the same change into one. */
  async function settle(key: DraftKey, lost: Sending): Promise<Outcome | undefined> {
    try {
      const found = await api.get({ ...key, id: lost.entity_id ?? key.id });
      if (isTaken(lost, found) && isOurs(key, lost, found)) return await accept(key, lost, found);
      return lost.entity_id === null ? undefined : idTaken(key, lost.entity_id);
    } catch (error) {
      const isMissing = refusalOf(error)?.status === 404;
      return lost.entity_id !== null && isMissing ? undefined : failed(key, lost, error, 'read');
    }
  }

  /**
   * Somebody else's entity of the same name is no answer to our creation. One that nobody made comes from a file, which is
   * what a service that was killed while it made ours has left.
   */
  const isOurs = ({ account }: DraftKey, { entity_id }: Sending, { version, updated_by }: EntityState) =>
    entity_id === null || (version === 1 && (updated_by === account || updated_by === null));

  async function accept(
    key: DraftKey,
    taken: Sending,
    entity: EntityState & { merged?: boolean },
  ): Promise<Outcome> {
    if (!isOpen(key, taken)) return { kind: 'taken' };
    const seen = taken.base_version ?? entity.version - 1;
    const othersChanged = entity.merged ?? entity.version > seen + 1;
    const next = takeIn(draftOf(key), { entity, taken, othersChanged, bodyConflicts: false }, rebaseBody);
    if (!isLocal(key)) {
      void book.set(next);
      return { kind: 'taken' };
    }
    const to = { ...key, id: entity.entity_id };
    await book.move(key, { ...next, key: to, entity_id: null });
    onMoved(key, to);
    return { kind: 'taken' };
  }

  async function failed(key: DraftKey, sent: Sending, error: unknown, asked: Asked): Promise<Outcome> {
    const refusal = refusalOf(error);
    const verdict = verdictOn(refusal, sent.base_version === null);
    if (asked === 'first' ? !mayBeTaken(refusal) : asked === 'repeat' && wasRefusedBefore(refusal))
      unsend(key);
    if (refusal === null || verdict === 'later')
      return { kind: 'later', reason: refusal ? 'service' : 'offline', retryAfter: refusal?.retryAfter };
    switch (verdict) {
      case 'sign-in':
        return { kind: 'sign-in' };
      case 'merge':
        return merge(key, sent, refusal, asked);
      case 'taken':
        return asked === 'repeat' ? madeBefore(key, sent) : idTaken(key, sent.entity_id ?? key.id);
      case 'gone':
        unsend(key);
        return refuse(key, { ...refusal, code: 'gone' });
      default:
        return refused(key, sent, refusal);
    }
  }

  function unsend(key: DraftKey): void {
    void book.set(withoutEqual({ ...draftOf(key), sending: null }));
  }

  async function merge(
    key: DraftKey,
    sent: Sending,
    { conflicting }: Refusal,
    asked: Asked,
  ): Promise<Outcome> {
    try {
      const entity = await api.get(key);
      const taken = takenParts(sent, entity);
      const bodyConflicts =
        sent.body !== null && (asked === 'repeat' || (conflicting?.includes(BODY) ?? true));
      const incoming = { entity, taken, othersChanged: true, bodyConflicts };
      void book.set(takeIn(draftOf(key), incoming, rebaseBody));
      return { kind: 'again' };
    } catch (error) {
      return failed(key, sent, error, 'read');
    }
  }

  /** A service that has just started finds the file of a creation before it can read the entity. */
  async function madeBefore(key: DraftKey, sent: Sending): Promise<Outcome> {
    const later = { kind: 'later', reason: 'service', retryAfter: undefined } as const;
    return (await settle(key, sent)) ?? later;
  }

  function idTaken(key: DraftKey, id: string): Outcome {
    unsend(key);
    const detail = `There is already a ${key.type} '${id}'`;
    return refuse(key, { status: 409, detail, code: 'id_taken', errors: [] }, nextId(id));
  }

  function refused(key: DraftKey, sent: Sending, refusal: Refusal): Outcome {
    const parts = refusedParts(refusal, sent);
    if (Object.keys(parts).length === 0) return refuse(key, refusal);
    book.setRun(key, { refusedParts: { ...book.required(key).run.refusedParts, ...parts } });
    return { kind: 'again' };
  }

  function refuse(key: DraftKey, refusal: Refusal, suggestion: string | null = null): Outcome {
    const { status, detail, code = '' } = refusal;
    book.setRun(key, { refused: { status, code, detail, suggestion } });
    return { kind: 'refused' };
  }

  return {
    attempt,
    /** Sends what is unsaved while the page goes away; nobody waits for the answer, and the draft stays until it is settled. */
    part(key: DraftKey): void {
      const draft = draftOf(key);
      if (draft.sending !== null) return;
      const sent = outgoing(draft, Object.keys(book.required(key).run.refusedParts));
      if (sent === null) return;
      if (!mayOutliveThePage(sent.base_version === null ? createBody(sent) : saveBody(sent))) return;
      void book.set({ ...draft, sending: sent });
      transmit(key, sent, true).then(
        (entity) => accept(key, sent, entity),
        (error: unknown) => isOpen(key, sent) && !mayBeTaken(refusalOf(error)) && unsend(key),
      );
    },
  };
}
