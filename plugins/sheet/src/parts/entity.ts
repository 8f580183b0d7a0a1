import type { Calls } from '../../../kit/host.ts';

/** An entry, as the host gives it. */
export type Entity = Calls['entities.get'][1];
