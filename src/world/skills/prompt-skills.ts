import {
  matchingSkills,
  type PromptSkill,
  promptSkills,
  type Skill,
  type SkillSource,
  type SourcedSkill,
  skillOfRecord,
  type WantedSkills,
} from '../../content/skills/index.ts';
import type { ProjectSkills } from '../definitions/index.ts';
import type { Project } from '../records/index.ts';
import type { Installations, SkillCaller } from './installations.service.ts';
import { isInPlan, recordOfRow } from './skill-rows.ts';
import type { InstallationRow, SkillRow } from './skills.tables.ts';

export type SkillsFor = (
  project: Project,
  caller: SkillCaller,
  wanted: WantedSkills,
) => Promise<PromptSkill[]>;

/** The skills that the caller may use, of their installations and the project's files, each once; for lists. */
export type UsableSkills = (project: Project, caller: SkillCaller) => Promise<Skill[]>;

/**
 * The skills that shape what a model writes, in the order of the prompt: what the caller has installed and enabled, and the
 * project's files, as far as the caller's plan includes them. A skill that the caller disabled is left out as a file too.
 */
export function createSkillsFor(installations: Installations, projectSkills: ProjectSkills): SkillsFor {
  const inPlan = createInPlan(installations, projectSkills);
  return async (project, caller, wanted) => promptSkills(await inPlan(project, caller), wanted);
}

export function createUsableSkills(installations: Installations, projectSkills: ProjectSkills): UsableSkills {
  const inPlan = createInPlan(installations, projectSkills);
  return async (project, caller) => {
    const all = await inPlan(project, caller);
    const only = all.map(({ skill }) => skill.skill_id);
    return matchingSkills(all, { contentType: null, only }).map(({ skill }) => skill);
  };
}

const createInPlan =
  (installations: Installations, projectSkills: ProjectSkills) =>
  async (project: Project, caller: SkillCaller): Promise<SourcedSkill[]> => {
    const [installed, { byId }] = await Promise.all([installations.all(caller), projectSkills(project)]);
    const disabled = new Set(installed.filter(({ row }) => row.enabled !== 1).map(({ row }) => row.skill_id));
    const files = [...byId.values()].map(({ skill }): SourcedSkill => ({ skill, source: 'file' }));
    const all = [...installed.flatMap(({ row, record }) => sourced(row, record)), ...files];
    return all.filter(({ skill }) => !disabled.has(skill.skill_id) && isInPlan(caller.plan, skill.min_tier));
  };

function sourced(row: InstallationRow, record: SkillRow | undefined): SourcedSkill[] {
  const skill = record && skillOfRecord(recordOfRow(record));
  return skill ? [{ skill, source: sourceOf(row, record) }] : [];
}

function sourceOf({ source }: InstallationRow, record: SkillRow): SkillSource {
  if (record.is_builtin === 1) return 'builtin';
  return source === 'template_pack' ? 'template_pack' : 'registry';
}
