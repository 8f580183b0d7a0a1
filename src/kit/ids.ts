import { randomUUID } from 'node:crypto';

/** A new random identifier (UUID v4). */
export const newId = (): string => randomUUID();
