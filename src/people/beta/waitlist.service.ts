import type { Clock } from '../../kit/clock.ts';
import { randomToken, sha256Hex } from '../../kit/crypto.ts';
import { notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import { unlessBusy } from '../../platform/database/unless-busy.ts';
import type { Mail } from '../../platform/mail/mail.ts';
import type { Letters } from '../letters/index.ts';
import type { WaitlistRequestRow, WaitlistRow } from './beta.tables.ts';
import { newReferralCode, normalisedCode } from './codes.ts';
import { alreadyPromotedMail, confirmationMail, placeMail } from './mails.ts';
import { DAY_MS } from './redemptions.service.ts';
import type { WaitlistState } from './states.contract.ts';
import {
  countBefore,
  countReferral,
  createWaitlistStore,
  findEntry,
  insertEntry,
  insertRequest,
  moveEntry,
  removeRequest,
  removeUnconfirmed,
  updateEntry,
} from './waitlist.store.ts';

export interface WaitlistOptions {
  database: Database;
  clock: Clock;
  letters: Letters;
  publicUrl: string;
}

export interface JoinRequest {
  email: string;
  name: string | null;
  about: string | null;
  referralCode: string | null;
}

export interface WaitlistPlace {
  /** Null unless it is waiting. */
  position: number | null;
  referralCode: string;
  referrals: number;
  state: WaitlistState;
}

/** Each confirmed referral counts as if one had come a day earlier, up to this many. */
const REFERRAL_MS = DAY_MS;
const MOST_REFERRALS = 30;
const BETWEEN_MAILS_MS = 3_600_000;
const UNCONFIRMED_MS = 30 * DAY_MS;
const AT_ONCE = 50;
const PREFIX = 'cnrw_';

export function createWaitlist({ database, clock, letters, publicUrl }: WaitlistOptions) {
  const store = createWaitlistStore(database.system);

  /** An entry is new as long as its address has not been confirmed. */
  async function addEntry(
    db: Executor,
    request: WaitlistRequestRow,
    tokenHash: string,
  ): Promise<WaitlistRow> {
    const { email, name, about, referral_code } = request;
    const referrer =
      referral_code === null ? null : await findEntry(db, 'referral_code', normalisedCode(referral_code));
    const row: WaitlistRow = {
      entry_id: newId(),
      email,
      name,
      about,
      token_hash: tokenHash,
      referral_code: newReferralCode(),
      referred_by: referrer?.entry_id ?? null,
      referrals: 0,
      state: 'unconfirmed',
      cohort: null,
      code_id: null,
      joined_at: request.asked_at,
      mailed_at: clock.now(),
      confirmed_at: null,
      promoted_at: null,
      rank_at: request.asked_at,
    };
    await insertEntry(db, row);
    return row;
  }

  async function mailFor(db: Executor, entry: WaitlistRow, token: string): Promise<Mail> {
    if (entry.state === 'promoted') return alreadyPromotedMail(entry.email);
    const position = (await countBefore(db, entry)) + 1;
    const place = { token, referralCode: entry.referral_code, position, publicUrl };
    return (entry.state === 'waiting' ? placeMail : confirmationMail)(entry.email, place);
  }

  /** The address gets a mail with a new token, unless it got one within the last hour. */
  async function answer(db: Executor, request: WaitlistRequestRow): Promise<void> {
    await removeRequest(db, request.request_id);
    const known = await findEntry(db, 'email', request.email);
    if (known !== null && known.mailed_at > clock.now() - BETWEEN_MAILS_MS) return;
    const token = PREFIX + randomToken();
    const tokenHash = sha256Hex(token);
    if (known !== null)
      await updateEntry(db, known.entry_id, { token_hash: tokenHash, mailed_at: clock.now() });
    const entry = known ?? (await addEntry(db, request, tokenHash));
    await letters.add(db, await mailFor(db, entry, token));
  }

  /** One process at a time, so that two requests of one address never become two entries. */
  async function answerAll(signal: AbortSignal): Promise<void> {
    const unconfirmedBefore = clock.now() - UNCONFIRMED_MS;
    await database.system.write((db) => removeUnconfirmed(db, unconfirmedBefore));
    for (;;) {
      const requests = await store.requests(AT_ONCE);
      for (const request of requests) {
        if (signal.aborted) return;
        await database.system.write((db) => answer(db, request));
      }
      if (requests.length > 0) letters.soon();
      if (requests.length < AT_ONCE) return;
    }
  }

  async function withToken(token: string): Promise<WaitlistRow> {
    const row = await store.find('token_hash', sha256Hex(token));
    if (row === null) throw badToken();
    return row;
  }

  const placeOf = async (row: WaitlistRow): Promise<WaitlistPlace> => ({
    position: row.state === 'waiting' ? await store.positionOf(row) : null,
    referralCode: row.referral_code,
    referrals: row.referrals,
    state: row.state,
  });

  return {
    /** Stores the wish alone: what the address gets, and whether it is known, is decided after the reply. */
    join: ({ email, name, about, referralCode }: JoinRequest): Promise<void> =>
      database.system.write((db) =>
        insertRequest(db, {
          request_id: newId(),
          email,
          name,
          about,
          referral_code: referralCode,
          asked_at: clock.now(),
        }),
      ),

    answerAll: (signal: AbortSignal): Promise<void> =>
      unlessBusy(database.system, 'beta-waitlist', () => answerAll(signal)),

    /** 404 with the same message for every invalid token. */
    place: async (token: string): Promise<WaitlistPlace> => placeOf(await withToken(token)),

    /** May be repeated. Counts for whoever recommended the programme, once. */
    async confirm(token: string): Promise<WaitlistPlace> {
      const { entry_id, referred_by } = await withToken(token);
      await database.system.write(async (db) => {
        const changes = { state: 'waiting', confirmed_at: clock.now() } as const;
        const isFirst = await moveEntry(db, entry_id, 'unconfirmed', changes);
        if (isFirst && referred_by !== null)
          await countReferral(db, referred_by, { byMs: REFERRAL_MS, most: MOST_REFERRALS });
      });
      return placeOf(await withToken(token));
    },

    async page(state: WaitlistState | undefined, page: { offset: number; limit: number }) {
      const { total, rows } = await store.page(state, page);
      const first = rows.find((row) => row.state === 'waiting');
      const before = first === undefined ? 0 : await store.positionOf(first);
      const waiting = rows.filter((row) => row.state === 'waiting');
      const positions = new Map(waiting.map((row, index) => [row, before + index]));
      return { total, entries: rows.map((row) => ({ row, position: positions.get(row) ?? null })) };
    },
  };
}

export type Waitlist = ReturnType<typeof createWaitlist>;

const badToken = () =>
  notFound('This link is not valid: ask for a place again, and you will get another', {
    code: 'invalid_token',
  });
