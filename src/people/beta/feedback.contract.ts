import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';
import { pageQuery, pageReply } from '../../kit/page.ts';
import { closed, NullableInteger, NullableText, named, nullableText, oneOf } from '../../kit/schemas.ts';
import { Cohort, Format, Id, managed, OPERATOR, TAG } from './shared.contract.ts';
import { FEEDBACK_CATEGORIES, FEEDBACK_STATUSES } from './states.contract.ts';

const Rating = Type.Integer({ minimum: 1, maximum: 5 });
const Name = Type.String({ minLength: 1, maxLength: 200 });

const FeedbackEntity = closed({
  type: Name,
  id: Name,
  version: Type.Optional(Type.Integer({ minimum: 0 })),
  findings: Type.Optional(
    Type.Array(
      closed({
        rule_id: Type.Optional(Name),
        field: Type.Optional(Name),
        severity: Type.Optional(Name),
        message: Type.Optional(Type.String({ maxLength: 1_000 })),
        line: Type.Optional(Type.Integer({ minimum: 0 })),
      }),
      { maxItems: 50 },
    ),
  ),
});

const Feedback = named('BetaFeedback', {
  id: Type.String(),
  tenant_id: Type.String(),
  user_id: nullableText('Null once the author’s account is deleted'),
  cohort: NullableText,
  category: oneOf(FEEDBACK_CATEGORIES),
  message: Type.String(),
  rating: NullableInteger,
  page: NullableText,
  entity: Type.Union([FeedbackEntity, Type.Null()]),
  screenshot_asset_id: NullableText,
  project_id: NullableText,
  status: oneOf(FEEDBACK_STATUSES),
  answer: NullableText,
  answered_at: NullableText,
  note: NullableText,
  created_at: Type.String(),
  updated_at: Type.String(),
});

const example = {
  id: 'c2a7f0f2-7d43-4a06-a8c6-0a8b8e0f1d22',
  tenant_id: '0b7c5f1e-8f57-4a53-9d2b-3a3f0f6d2c11',
  user_id: '5d1c9d56-2b1e-4d0e-8c6e-0c7a0e4b9f11',
  cohort: 'spring',
  category: 'bug',
  message: 'The list of characters jumps to its top when I save.',
  rating: 4,
  page: '/characters',
  entity: { type: 'character', id: 'mira', version: 3 },
  screenshot_asset_id: null,
  project_id: 'default',
  status: 'open',
  answer: null,
  answered_at: null,
  note: null,
  created_at: '2026-03-04T05:06:07.890Z',
  updated_at: '2026-03-04T05:06:07.890Z',
};

export const sendBetaFeedback = contract('POST /api/beta/feedback', {
  name: 'sendBetaFeedback',
  auth: 'bearer',
  tag: TAG,
  summary: 'Say what is good, what is missing, and what does not work',
  description: 'At most 100 a day from one person. Answers come by mail.',
  body: closed({
    category: oneOf(FEEDBACK_CATEGORIES),
    message: Type.String({ minLength: 1, maxLength: 10_000 }),
    rating: Type.Optional(Rating),
    page: Type.Optional(Type.String({ minLength: 1, maxLength: 500 })),
    entity: Type.Optional(FeedbackEntity),
    screenshot_asset_id: Type.Optional(Name),
    project_id: Type.Optional(Id),
  }),
  reply: Type.Object({ id: Type.String(), status: oneOf(FEEDBACK_STATUSES), created_at: Type.String() }),
  status: 201,
  errors: [429],
  example: {
    body: { category: 'bug', message: example.message, rating: 4, page: '/characters' },
    reply: { id: example.id, status: 'open', created_at: example.created_at },
  },
});

export const listBetaFeedback = contract('GET /api/beta/feedback', {
  ...managed,
  name: 'listBetaFeedback',
  summary: 'Feedback, the newest first',
  description: `${OPERATOR} \`q\` is searched for in the messages. With \`format=csv\` the reply is a table of up to 1,000 rows from \`offset\` on (\`limit\` does not count; it ends earlier after 8 MB), in which no text is run as a formula.`,
  query: Type.Object({
    ...pageQuery,
    status: Type.Optional(oneOf(FEEDBACK_STATUSES)),
    category: Type.Optional(oneOf(FEEDBACK_CATEGORIES)),
    rating: Type.Optional(Rating),
    cohort: Type.Optional(Cohort),
    q: Type.Optional(Type.String({ minLength: 1, maxLength: 200 })),
    format: Format,
  }),
  reply: pageReply({ feedback: Type.Array(Feedback) }),
  errors: [403],
  example: { query: { status: 'open' }, reply: { total: 1, offset: 0, limit: 50, feedback: [example] } },
});

export const updateBetaFeedback = contract('PATCH /api/beta/feedback/{id}', {
  ...managed,
  name: 'updateBetaFeedback',
  summary: 'Change the status of feedback, or answer it',
  description: `${OPERATOR} A new answer is mailed to the author; the same answer again is not. The note is for those who run the programme.`,
  params: Type.Object({ id: Id }),
  body: closed({
    status: Type.Optional(oneOf(FEEDBACK_STATUSES)),
    answer: Type.Optional(Type.String({ minLength: 1, maxLength: 10_000 })),
    note: Type.Optional(Type.String({ maxLength: 10_000 })),
  }),
  reply: Type.Object({
    ...Feedback.properties,
    mailed: Type.Boolean({ description: 'The answer is on its way to the author' }),
  }),
  errors: [403, 404],
  example: {
    params: { id: example.id },
    body: { status: 'planned' },
    reply: { ...example, status: 'planned', mailed: false },
  },
});
