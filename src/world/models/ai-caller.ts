import type { RouteRequest } from '../../kit/route.ts';
import type { AiCaller } from './models.ts';

/** In whose name a request asks models. */
export const aiCallerOf = ({
  tenantId,
  projectId,
  actor,
  plan,
  principal,
}: Pick<RouteRequest, 'tenantId' | 'projectId' | 'actor' | 'plan' | 'principal'>): AiCaller => ({
  tenantId,
  projectId,
  userId: actor,
  plan,
  ...(principal?.overrides && { overrides: principal.overrides }),
});
