import type { Clock } from '../../kit/clock.ts';
import { HttpError, notFound } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Database } from '../../platform/database/database.ts';
import type { Letters } from '../letters/index.ts';
import type { FeedbackRow } from './beta.tables.ts';
import {
  createFeedbackStore,
  type FeedbackFilter,
  folded,
  insertFeedback,
  lockFeedback,
  removeFeedback,
  updateFeedback,
} from './feedback.store.ts';
import { answerMail } from './mails.ts';
import { DAY_MS, type Redemptions } from './redemptions.service.ts';
import type { FeedbackCategory, FeedbackStatus } from './states.contract.ts';

export interface FeedbackOptions {
  database: Database;
  clock: Clock;
  letters: Letters;
  redemptions: Pick<Redemptions, 'cohortOf'>;
  mailOf(userId: string): Promise<string | null>;
}

export interface NewFeedback {
  tenantId: string;
  userId: string;
  category: FeedbackCategory;
  message: string;
  rating: number | null;
  page: string | null;
  entity: object | null;
  screenshotAssetId: string | null;
  projectId: string | null;
}

export interface FeedbackChange {
  status?: FeedbackStatus | undefined;
  answer?: string | undefined;
  note?: string | undefined;
}

const MOST_A_DAY = 100;

const rowOf = (input: NewFeedback, cohort: string | null, nowMs: number): FeedbackRow => ({
  feedback_id: newId(),
  tenant_id: input.tenantId,
  user_id: input.userId,
  cohort,
  category: input.category,
  message: input.message,
  folded: folded(input.message),
  rating: input.rating,
  page: input.page,
  entity: input.entity && JSON.stringify(input.entity),
  screenshot_asset_id: input.screenshotAssetId,
  project_id: input.projectId,
  status: 'open',
  answer: null,
  answered_at: null,
  note: null,
  created_at: nowMs,
  updated_at: nowMs,
});

export function createFeedback({ database, clock, letters, redemptions, mailOf }: FeedbackOptions) {
  const store = createFeedbackStore(database.system);

  async function refuseFlood(userId: string): Promise<void> {
    if ((await store.countSince(userId, clock.now() - DAY_MS)) < MOST_A_DAY) return;
    throw new HttpError(429, `At most ${MOST_A_DAY} a day from one person: try again tomorrow`, {
      code: 'too_much_feedback',
      headers: { 'retry-after': String(DAY_MS / 1000) },
    });
  }

  async function existing(id: string): Promise<FeedbackRow> {
    const row = await store.find(id);
    if (row === null) throw feedbackNotFound();
    return row;
  }

  return {
    async add(input: NewFeedback): Promise<FeedbackRow> {
      await refuseFlood(input.userId);
      return database.system.write(async (db) => {
        const row = rowOf(input, await redemptions.cohortOf(db, input.tenantId), clock.now());
        await insertFeedback(db, row);
        return row;
      });
    },

    page: (filter: FeedbackFilter, page: { offset: number; limit: number }) => store.page(filter, page),

    /** 404 if there is none. */
    async change(id: string, { answer, status, note }: FeedbackChange) {
      const author = answer === undefined ? null : (await existing(id)).user_id;
      const address = author === null ? null : await mailOf(author);
      const changed = await database.system.write(async (db) => {
        const row = await lockFeedback(db, id, database.dialect);
        if (row === null) return null;
        const nowMs = clock.now();
        const isNewAnswer = answer !== undefined && answer !== row.answer;
        const changes = {
          status: status ?? row.status,
          note: note ?? row.note,
          ...(isNewAnswer && { answer, answered_at: nowMs }),
          updated_at: nowMs,
        };
        await updateFeedback(db, id, changes);
        const isMailed = isNewAnswer && address !== null && row.user_id !== null;
        if (isMailed) await letters.add(db, answerMail(address, { message: row.message, answer }));
        return { row: { ...row, ...changes }, isMailed };
      });
      if (changed === null) throw feedbackNotFound();
      if (changed.isMailed) letters.soon();
      return changed;
    },

    removeAll: removeFeedback,
  };
}

export type Feedbacks = ReturnType<typeof createFeedback>;

const feedbackNotFound = () => notFound('There is no such feedback', { code: 'feedback_not_found' });
