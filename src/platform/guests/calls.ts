import type { GuestHeaders, GuestHttpResponse } from './host.ts';
import { count, listOf, nothing, oneOf, optional, pair, record, type Shape, text } from './shapes.ts';

export interface GuestInfo {
  name: string;
  version: string;
  description: string;
}

export type GuestSeverity = 'info' | 'warning' | 'error';

export interface GuestFinding {
  severity: GuestSeverity;
  field: string | null;
  message: string;
}

export interface GuestEntityChange {
  entityType: string;
  id: string;
  /** JSON. */
  entity: string;
  /** JSON, as it was before this change. */
  previous: string | null;
}

export interface GuestRouteRequest {
  method: string;
  path: string;
  headers: GuestHeaders;
  body: string | null;
  user: { id: string; role: string };
}

/** The exports of the world (`wit/plugin.wit`). */
export interface GuestCalls {
  'get-info': { args: []; result: GuestInfo };
  'on-entity-validate': { args: [GuestEntityChange]; result: GuestFinding[] };
  /** JSON of what to save instead. */
  'on-entity-save': { args: [GuestEntityChange]; result: string | null };
  'on-entity-create': { args: [GuestEntityChange]; result: null };
  'on-entity-delete': { args: [GuestEntityChange]; result: null };
  /** JSON of the project. */
  'on-project-init': { args: [string]; result: null };
  'handle-request': { args: [GuestRouteRequest]; result: GuestHttpResponse };
}

export type GuestCallName = keyof GuestCalls;

type Results = { [Name in GuestCallName]: Shape<GuestCalls[Name]['result']> };

export const guestResults: Results = {
  'get-info': record<GuestInfo>({ name: text, version: text, description: text }),
  'on-entity-validate': listOf(
    record<GuestFinding>({
      severity: oneOf<GuestSeverity>(['info', 'warning', 'error']),
      field: optional(text),
      message: text,
    }),
  ),
  'on-entity-save': optional(text),
  'on-entity-create': nothing,
  'on-entity-delete': nothing,
  'on-project-init': nothing,
  'handle-request': record<GuestHttpResponse>({
    status: count,
    headers: listOf(pair(text, text)),
    body: text,
  }),
};
