import type { Clock } from '../../kit/clock.ts';
import { newId } from '../../kit/ids.ts';
import type { Log } from '../../kit/log.ts';
import { createRegularWork } from '../../kit/regular-work.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Executor } from '../../platform/database/dialect.ts';
import { unlessBusy } from '../../platform/database/unless-busy.ts';
import { type Mail, MailError, type Mailer } from '../../platform/mail/mail.ts';
import { createLetterStore, insertLetter } from './letters.store.ts';
import type { LetterRow } from './letters.tables.ts';

export interface LettersOptions {
  database: Database;
  mailer: Pick<Mailer, 'send'>;
  clock: Clock;
  log: Log;
  everyMs?: number;
}

const EVERY_MS = 5_000;
const MOST_AT_ONCE = 20;
const FIRST_WAIT_MS = 10_000;
const LONGEST_WAIT_MS = 3_600_000;
const GIVEN_UP_AFTER_MS = 3 * 24 * 3_600_000;

/**
 * Stores a mail in the caller's transaction. It is sent within seconds of the commit: for modules that are created before the one that
 * sends it.
 */
export const addLetter = (db: Executor, { to, subject, text }: Mail, clock: Clock): Promise<void> =>
  insertLetter(db, {
    letter_id: newId(),
    recipient: to,
    subject,
    body: text,
    created_at: clock.now(),
    due_at: clock.now(),
    attempts: 0,
  });

/**
 * Mails that belong to a change: stored in its transaction, sent after it, tried again for three days while the mail server is away. A
 * crash between the sending and its record sends a mail twice.
 */
export function createLetters({ database, mailer, clock, log, everyMs = EVERY_MS }: LettersOptions) {
  const store = createLetterStore(database.system);

  async function failed(letter: LetterRow, error: unknown): Promise<void> {
    const isRefused = error instanceof MailError && error.code === 'refused';
    if (isRefused || clock.now() - letter.created_at > GIVEN_UP_AFTER_MS) {
      log.error(`the mail '${letter.subject}' could not be sent and is given up`);
      return store.remove(letter.letter_id);
    }
    const wait = Math.min(FIRST_WAIT_MS * 2 ** letter.attempts, LONGEST_WAIT_MS);
    return store.postpone(letter.letter_id, clock.now() + wait, letter.attempts + 1);
  }

  async function send(letter: LetterRow): Promise<void> {
    const { letter_id, recipient: to, subject, body: text } = letter;
    try {
      await mailer.send({ to, subject, text });
    } catch (error) {
      return failed(letter, error);
    }
    await store.remove(letter_id);
  }

  async function sendDue(signal: AbortSignal): Promise<void> {
    for (;;) {
      const letters = await store.due(clock.now(), MOST_AT_ONCE);
      for (const letter of letters) {
        if (signal.aborted) return;
        await send(letter);
      }
      if (letters.length < MOST_AT_ONCE) return;
    }
  }

  const sending = createRegularWork({
    what: 'the sending of mails',
    everyMs,
    log,
    work: (signal) => unlessBusy(database.system, 'letters', () => sendDue(signal)),
  });

  return {
    /** Stores a mail in the caller's transaction; `soon` after its commit sends it at once. */
    add: (db: Executor, mail: Mail): Promise<void> => addLetter(db, mail, clock),
    soon: sending.soon,
    start: sending.start,
    stop: sending.stop,
  };
}

export type Letters = Pick<ReturnType<typeof createLetters>, 'add' | 'soon'>;
