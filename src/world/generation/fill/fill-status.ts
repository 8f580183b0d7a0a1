/** `stopped`: the cost limit is reached, or nobody can be asked; what is left stays `waiting`. */
export const FILL_STATUSES = ['running', 'done', 'cancelled', 'stopped'] as const;
export type FillStatus = (typeof FILL_STATUSES)[number];

/** Of one entity. `skipped`: nothing was empty, or the model proposed nothing. */
export type FillState = 'waiting' | 'proposed' | 'skipped' | 'failed';
