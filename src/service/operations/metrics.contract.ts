import { Type } from 'typebox';
import { contract } from '../../kit/contract.ts';

export const getMetrics = contract('GET /metrics', {
  name: 'getMetrics',
  auth: 'metrics',
  tag: 'Operations',
  summary: 'What the process counts about itself, for Prometheus',
  description: 'Needs the token of the setting `METRICS_TOKEN`; while none is set it answers 409.',
  replyType: 'text/plain',
  reply: Type.String(),
  errors: [409],
});
