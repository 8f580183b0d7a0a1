import { createOutgoing } from '../../outgoing/outgoing.ts';
import { llmConformance, QUICK_LIMITS } from '../llm.conformance.ts';
import { createLibraryLlm } from './library-llm.ts';

llmConformance(async () => {
  const outgoing = createOutgoing({ privateEndpoints: 'admitted' });
  return {
    llm: createLibraryLlm({ outgoing, limits: QUICK_LIMITS }),
    close: async () => outgoing.close(),
  };
});
