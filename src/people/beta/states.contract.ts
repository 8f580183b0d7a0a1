export const CODE_STATES = ['active', 'used_up', 'expired', 'revoked'] as const;
export type CodeState = (typeof CODE_STATES)[number];

export const FEEDBACK_CATEGORIES = ['bug', 'idea', 'praise', 'question', 'other'] as const;
export type FeedbackCategory = (typeof FEEDBACK_CATEGORIES)[number];

export const FEEDBACK_STATUSES = ['open', 'reviewed', 'planned', 'resolved', 'closed'] as const;
export type FeedbackStatus = (typeof FEEDBACK_STATUSES)[number];

export const WAITLIST_STATES = ['unconfirmed', 'waiting', 'promoted'] as const;
export type WaitlistState = (typeof WAITLIST_STATES)[number];
