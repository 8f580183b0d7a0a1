import { createTestLog } from './test-log.ts';

/** Unexpected errors appear beside a test's failure. */
export const errorsToStderr = createTestLog().log;
