import { randomUUID } from 'node:crypto';

/** UUID v4. */
export const newId = (): string => randomUUID();
