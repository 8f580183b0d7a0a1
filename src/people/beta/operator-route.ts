import type { TSchema } from 'typebox';
import type { Contract } from '../../kit/contract.ts';
import { forbidden } from '../../kit/errors.ts';
import { callerOf } from '../../kit/principal.ts';
import { type HandlerResult, type Route, type RouteRequest, route } from '../../kit/route.ts';

export type IsOperator = (tenantId: string) => Promise<boolean>;

/** Declares routes that answer 403 to admins of every tenant but the one that runs the installation, whatever they ask about. */
export const createOperatorRoute =
  (isOperator: IsOperator) =>
  <P extends TSchema, Q extends TSchema, B extends TSchema, R extends TSchema>(
    contract: Contract<P, Q, B, R>,
    handle: (request: RouteRequest<Contract<P, Q, B, R>>) => Promise<HandlerResult<Contract<P, Q, B, R>>>,
  ): Route =>
    route(contract, async (request) => {
      if (await isOperator(callerOf(request).tenantId)) return handle(request);
      throw forbidden('This is for admins of the tenant that runs the installation', {
        code: 'operator_only',
      });
    });

export type OperatorRoute = ReturnType<typeof createOperatorRoute>;
