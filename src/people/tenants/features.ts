import type { FeatureOverrides } from '../../access/entitlements.ts';
import type { PlanFeature } from '../../access/plans.ts';

/** Wire names of the overrides (spec 1 §2.7) with their names here. */
export const FLAG_KEYS = {
  web_access: 'web_access',
  cloud_sync: 'cloud_sync',
  cloud_drive: 'cloud_drive',
  cloud_drive_sync: 'cloud_drive',
  mobile_access: 'mobile_access',
  sso: 'sso',
  custom_templates: 'custom_templates',
  ai_generation: 'ai_generation',
} as const satisfies Record<string, PlanFeature>;

type FlagKey = keyof typeof FLAG_KEYS;

/** Changes to overrides; null restores the plan's value, and members left out stay. */
export type FeatureChanges = { [Key in FlagKey]?: boolean | null | undefined } & {
  credits_monthly_override?: number | null | undefined;
};

/** Returns the overrides after the changes; the inputs stay as they are. */
export function withChanges(overrides: FeatureOverrides, changes: FeatureChanges): FeatureOverrides {
  const { credits_monthly_override: credits, ...flags } = changes;
  const merged: { [Key in keyof FeatureOverrides]: FeatureOverrides[Key] | null | undefined } = {
    ...overrides,
  };
  for (const [key, value] of Object.entries(flags))
    if (value !== undefined) merged[FLAG_KEYS[key as FlagKey]] = value;
  if (credits !== undefined) merged.credits_monthly = credits;
  return Object.fromEntries(Object.entries(merged).filter(([, value]) => value !== null));
}
