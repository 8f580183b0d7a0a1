import type { RouteRequest } from '../../kit/route.ts';
import { requireAiCaller } from './ai-caller.ts';
import type { AiCaller } from './models.ts';

/** A model that a request asks for, on routes where none is asked otherwise. */
export interface AskedModel {
  caller: AiCaller;
  /** The default one if not named. */
  provider: string | undefined;
  /** Shows the question without sending it. */
  dryRun: boolean;
  signal: AbortSignal;
}

type Request = Parameters<typeof requireAiCaller>[0] &
  Pick<RouteRequest, 'callerGone'> & { body: { ai?: boolean; provider?: string; dry_run?: boolean } };

/** Null if the request wants no model, which `askProperties` say. 403 unless the role may use AI. */
export function askedModel(request: Request): AskedModel | null {
  const { ai = false, provider, dry_run: dryRun = false } = request.body;
  if (!ai && provider === undefined) return null;
  return { caller: requireAiCaller(request), provider, dryRun, signal: request.callerGone() };
}
