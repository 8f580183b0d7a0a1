import { randomUUID } from 'node:crypto';

/** A fresh random identifier (UUID v4). */
export const newId = (): string => randomUUID();
