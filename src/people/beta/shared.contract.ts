import { Type } from 'typebox';
import { PERMISSIONS, PLAN_NAMES } from '../../access/plans.ts';
import { closed, oneOf } from '../../kit/schemas.ts';
import { featureFlags } from '../tenants/tenants.contract.ts';

export const TAG = 'Beta programme';

/** Shared by the routes for those who run the programme. */
export const managed = {
  auth: 'bearer',
  peopleOnly: true,
  role: PERMISSIONS.manage_tenants,
  tag: TAG,
} as const;
export const OPERATOR = 'For admins of the tenant that runs the installation.';

export const Id = Type.String({ pattern: '^[A-Za-z0-9_-]{1,64}$' });
export const Cohort = Type.String({ minLength: 1, maxLength: 64, pattern: '^[^\\p{Cc}]+$' });
export const Code = Type.String({
  minLength: 1,
  maxLength: 100,
  description: 'Upper and lower case, spaces and dashes do not matter',
});
export const Time = Type.String({ format: 'date-time', maxLength: 40 });
export const Format = Type.Optional(oneOf(['json', 'csv']));
export const Plan = Type.Enum(PLAN_NAMES.filter((name) => name !== 'free'));
export const Days = Type.Integer({ minimum: 1, maximum: 3_650 });
export const Credits = Type.Integer({ minimum: 0, maximum: 1_000_000 });

export const Flags = closed(featureFlags(Type.Optional(Type.Boolean())));
export const GivenFlags = Type.Record(Type.String(), Type.Boolean(), {
  description: 'Where there is more or less than the plan has',
});
export const Message = Type.Object({ message: Type.String() });
