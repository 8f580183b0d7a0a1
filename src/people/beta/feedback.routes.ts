import { isoTime } from '../../kit/clock.ts';
import { csvReply } from '../../kit/http/csv.ts';
import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import type { FeedbackRow } from './beta.tables.ts';
import { listBetaFeedback, sendBetaFeedback, updateBetaFeedback } from './feedback.contract.ts';
import type { Feedbacks } from './feedback.service.ts';
import type { OperatorRoute } from './operator-route.ts';

const CSV_ROWS = 1_000;
const COLUMNS = [
  ...['id', 'created_at', 'status', 'category', 'rating', 'cohort', 'message', 'page', 'entity'],
  ...['project_id', 'screenshot_asset_id', 'tenant_id', 'user_id', 'answer', 'answered_at', 'note'],
];

const flat = (row: FeedbackRow) => ({
  id: row.feedback_id,
  tenant_id: row.tenant_id,
  user_id: row.user_id,
  cohort: row.cohort,
  category: row.category,
  message: row.message,
  rating: row.rating,
  page: row.page,
  entity: row.entity,
  screenshot_asset_id: row.screenshot_asset_id,
  project_id: row.project_id,
  status: row.status,
  answer: row.answer,
  answered_at: row.answered_at === null ? null : isoTime(row.answered_at),
  note: row.note,
  created_at: isoTime(row.created_at),
  updated_at: isoTime(row.updated_at),
});

const shown = (row: FeedbackRow) => ({
  ...flat(row),
  entity: row.entity === null ? null : JSON.parse(row.entity),
});

export const feedbackRoutes = (feedback: Feedbacks, operatorRoute: OperatorRoute): Route[] => [
  route(sendBetaFeedback, async (request) => {
    const { tenantId, userId } = callerOf(request);
    const { category, message, rating = null, page = null, entity = null, ...rest } = request.body;
    const { screenshot_asset_id: screenshotAssetId = null, project_id: projectId = null } = rest;
    const input = { tenantId, userId, category, message, rating, page, entity, screenshotAssetId, projectId };
    const row = await feedback.add(input);
    return { id: row.feedback_id, status: row.status, created_at: isoTime(row.created_at) };
  }),
  operatorRoute(listBetaFeedback, async ({ query }) => {
    const { offset = 0, limit = 50, format, status, category, rating, cohort, q } = query;
    const isCsv = format === 'csv';
    const filter = { status, category, rating, cohort, q };
    const { total, rows } = await feedback.page(filter, { offset, limit: isCsv ? CSV_ROWS : limit });
    if (isCsv) return csvReply('beta-feedback', COLUMNS, rows.map(flat));
    return { total, offset, limit, feedback: rows.map(shown) };
  }),
  operatorRoute(updateBetaFeedback, async ({ params, body: { status, answer, note } }) => {
    const { row, isMailed } = await feedback.change(params.id, { status, answer, note });
    return { ...shown(row), mailed: isMailed };
  }),
];
