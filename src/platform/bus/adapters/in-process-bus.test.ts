import { busConformance } from '../bus.conformance.ts';
import { createInProcessBus } from './in-process-bus.ts';

busConformance('in process', async () => {
  const errors: unknown[] = [];
  return { bus: createInProcessBus({ verify: true, onError: (error) => errors.push(error) }), errors };
});
