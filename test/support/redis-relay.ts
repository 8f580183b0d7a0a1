import type { TestContext } from 'node:test';
import { startRelay } from './relay.ts';

export const REDIS_URL = process.env.TEST_REDIS_URL ?? 'redis://127.0.0.1:6379';

export const startRedisRelay = (t: Pick<TestContext, 'after'>) => startRelay(t, REDIS_URL);
