import { PLANS, type PlanName } from '../../access/plans.ts';
import { searchTokens } from '../../content/search-text.ts';
import { SKILL_TIERS, type SkillRecord, type SkillTier } from '../../content/skills/index.ts';
import { isMap, type JsonMap } from '../../text/json.ts';
import type { AgentSkillReply } from './agent-skills.contract.ts';
import type { SkillRow } from './skills.tables.ts';

const mapOf = (json: string): JsonMap => {
  const value: unknown = JSON.parse(json);
  return isMap(value) ? value : {};
};
const textsOf = (json: string): string[] => {
  const value: unknown = JSON.parse(json);
  return Array.isArray(value) ? value.map(String) : [];
};

export const recordOfRow = (row: Pick<SkillRow, keyof SkillRecord>): SkillRecord & { tags: string[] } => ({
  skill_id: row.skill_id,
  name: row.name,
  description: row.description,
  category: row.category,
  tags: textsOf(row.tags),
  definition: mapOf(row.definition),
  prompt_template: row.prompt_template,
  parameters: mapOf(row.parameters),
  min_tier: row.min_tier,
});

export const skillReply = (row: SkillRow): AgentSkillReply => ({
  ...recordOfRow(row),
  is_featured: row.is_featured === 1,
  is_builtin: row.is_builtin === 1,
  usage_count: Number(row.usage_count),
  created_at: row.created_at,
  updated_at: row.updated_at,
});

export interface RecordFlags {
  is_featured: boolean;
  is_builtin: boolean;
  shipped_print: string | null;
}

/** The columns that a registration sets; usage and times are the store's. */
export const columnsOf = (record: SkillRecord, flags: RecordFlags) => ({
  skill_id: record.skill_id,
  name: record.name,
  description: record.description,
  category: record.category,
  tags: JSON.stringify(record.tags),
  definition: JSON.stringify(record.definition),
  prompt_template: record.prompt_template,
  parameters: JSON.stringify(record.parameters),
  min_tier: record.min_tier,
  is_featured: flags.is_featured ? 1 : 0,
  is_builtin: flags.is_builtin ? 1 : 0,
  words: ` ${searchTokens(`${record.name}\n${record.description}\n${record.skill_id}`).join(' ')} `,
  shipped_print: flags.shipped_print,
});
export type SkillColumns = ReturnType<typeof columnsOf>;

const isTier = (text: string): text is SkillTier => SKILL_TIERS.some((tier) => tier === text);

/** True if the plan includes what asks for `tier`. */
export const isInPlan = (plan: PlanName, tier: string): boolean =>
  PLANS[plan].tier >= PLANS[isTier(tier) ? tier : 'free'].tier;
