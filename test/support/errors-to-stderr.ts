import { createTestLog } from './test-log.ts';

/** What a test does not expect is seen beside its failure. */
export const errorsToStderr = createTestLog().log;
