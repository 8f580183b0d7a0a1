import type { Static } from 'typebox';
import { type Contract, hasBody, isRead, memoryOf, querySchemaOf } from '../contract.ts';
import type { HttpError } from '../errors.ts';
import { ReadyJson, Reply, type Route, type RouteRequest } from '../route.ts';
import type { HoldBytes } from '../work-budget.ts';
import { requireRights } from './admit.ts';
import { createBodyNameCheck } from './known-names.ts';
import { createRequestEnd } from './request-end.ts';
import { createValidator } from './validation.ts';

/** In whose name routes are called: the caller of the request that asks for it, who has been admitted. */
export interface RouteCaller
  extends Pick<
    RouteRequest,
    'principal' | 'tenantId' | 'projectId' | 'actor' | 'plan' | 'requestId' | 'address'
  > {
  /** Aborts when nobody waits for the result any more. */
  signal: AbortSignal;
}

export interface RouteCallParts<C extends Contract> {
  params?: Static<C['params']>;
  query?: Static<C['query']>;
  body?: Static<C['body']>;
}

/**
 * Calls a JSON route inside the process, with the rights of the caller's role and the checks of a request. Rejects as the route
 * refuses. What a key's scope allows is for the caller to say: a POST may only compute something.
 */
export type CallRoute = <C extends Contract>(
  contract: C,
  caller: RouteCaller,
  parts?: RouteCallParts<C>,
) => Promise<Static<C['reply']>>;

export interface RouteCallsOptions {
  routes: readonly Route[];
  holdBytes: HoldBytes;
  /** Turns errors of ports into refusals; null for unexpected errors. */
  translateError(error: unknown): HttpError | null;
}

export function createRouteCalls({ routes, holdBytes, translateError }: RouteCallsOptions): CallRoute {
  const callers = new Map(routes.map((route) => [route.contract, createCaller(route, holdBytes)]));
  const callRoute = async (contract: Contract, caller: RouteCaller, parts: Given = {}): Promise<unknown> => {
    const call = callers.get(contract);
    if (call === undefined) throw new Error(`the route ${contract.name} is not in the list of this surface`);
    try {
      return await call(caller, parts);
    } catch (error) {
      throw translateError(error) ?? error;
    }
  };
  // A handler's answer satisfies its contract.
  return callRoute as CallRoute;
}

type Given = RouteCallParts<Contract>;

function createCaller(route: Route, holdBytes: HoldBytes) {
  const { contract } = route;
  const check = createChecks(contract);
  return async (caller: RouteCaller, { params = {}, query = {}, body }: Given): Promise<unknown> => {
    if (caller.principal !== null) requireRights(contract, caller.principal);
    const parts = { params: { ...(params as object) }, query: { ...(query as object) }, body };
    check(parts);
    const { onEnd, answered } = createRequestEnd();
    const holds: (() => void)[] = [];
    const hold = async (bytes: number) => void holds.push(await holdBytes(caller.tenantId, bytes));
    const going: Promise<unknown>[] = [];
    let result: unknown;
    try {
      const bytes = memoryOf(contract, 0) ?? 0;
      if (bytes > 0) await hold(bytes);
      const request = requestOf(contract, caller, parts);
      result = await route.handle({
        ...request,
        onEnd,
        callerGone: () => caller.signal,
        holdBytes: hold,
        goesOn: (work) => void going.push(work),
      });
      return jsonOf(result);
    } finally {
      answered(result);
      void Promise.allSettled(going).then(() => holds.forEach((release) => void release()));
    }
  };
}

function createChecks(contract: Contract): (parts: Required<Given>) => void {
  const checkParams = createValidator(contract.params, 'path');
  const checkQuery = createValidator(querySchemaOf(contract), 'query');
  const checkBody = createValidator(contract.body, 'body');
  const checkNames = createBodyNameCheck(contract);
  return ({ params, query, body }) => {
    checkParams(params);
    checkQuery(query);
    if (!hasBody(contract)) return;
    checkNames(body);
    checkBody(body);
  };
}

const requestOf = (contract: Contract, caller: RouteCaller, parts: Required<Given>) =>
  ({
    ...caller,
    ...parts,
    rawQuery: parts.query,
    files: {},
    stream: null,
    openToAll: false,
    changes: !isRead(contract),
    headers: {},
    origin: '',
    cookies: {},
  }) as Omit<RouteRequest, 'onEnd' | 'callerGone' | 'holdBytes' | 'goesOn'>;

function jsonOf(result: unknown): unknown {
  const body = result instanceof Reply ? result.body : result;
  return body instanceof ReadyJson ? JSON.parse(body.text) : body;
}
