import { PERMISSIONS, roleAllows, strongest } from '../../access/plans.ts';
import { forbidden } from '../../kit/errors.ts';
import { callerOf } from '../../kit/principal.ts';
import type { RouteRequest } from '../../kit/route.ts';
import type { AiCaller } from './models.ts';

type Asking = Pick<RouteRequest, 'tenantId' | 'projectId' | 'actor' | 'plan' | 'principal'>;

/** In whose name a request asks models. */
export const aiCallerOf = ({ tenantId, projectId, actor, plan, principal }: Asking): AiCaller => ({
  tenantId,
  projectId,
  userId: actor,
  plan,
  ...(principal?.overrides && { overrides: principal.overrides }),
});

/** The same on routes that anyone may call as long as no model is asked. 403 unless the role may use AI. */
export function requireAiCaller(request: Asking): AiCaller {
  if (!roleAllows(strongest(callerOf(request)), PERMISSIONS.use_ai))
    throw forbidden(`Asking a model needs the role ${PERMISSIONS.use_ai} or above`, {
      code: 'insufficient_role',
    });
  return aiCallerOf(request);
}
