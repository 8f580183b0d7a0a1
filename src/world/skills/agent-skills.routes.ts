import { callerOf } from '../../kit/principal.ts';
import { type Route, route } from '../../kit/route.ts';
import {
  disableSkill,
  enableSkill,
  getSkill,
  installSkill,
  listEnabledSkills,
  listInstalledSkills,
  listSkills,
  registerSkill,
  uninstallSkill,
  unregisterSkill,
} from './agent-skills.contract.ts';
import type { Installations } from './installations.service.ts';
import type { Registry } from './registry.service.ts';

export const agentSkillRoutes = (registry: Registry, installations: Installations): Route[] => [
  route(listSkills, ({ tenantId, query: { offset = 0, limit = 50, ...filter } }) =>
    registry.list(tenantId, filter, { offset, limit }),
  ),
  route(getSkill, ({ tenantId, params }) => registry.get(tenantId, params.skill_id)),
  route(registerSkill, ({ tenantId, body }) => registry.put(tenantId, body)),
  route(unregisterSkill, async ({ tenantId, params: { skill_id } }) => {
    await registry.remove(tenantId, skill_id);
    return { message: `Skill '${skill_id}' removed from registry` };
  }),
  route(listInstalledSkills, async (request) => ({
    skills: await installations.list(callerOf(request), request.query.enabled_only === true),
  })),
  route(listEnabledSkills, async (request) => ({ skills: await installations.enabled(callerOf(request)) })),
  route(installSkill, async (request) => {
    const installation = await installations.install(callerOf(request), request.body);
    return { message: `Skill '${installation.skill_id}' installed`, installation };
  }),
  route(enableSkill, async (request) => {
    const installation = await installations.enable(callerOf(request), request.params.skill_id);
    return { message: `Skill '${installation.skill_id}' enabled`, installation };
  }),
  route(disableSkill, async (request) => {
    const installation = await installations.disable(callerOf(request), request.params.skill_id);
    return { message: `Skill '${installation.skill_id}' disabled`, installation };
  }),
  route(uninstallSkill, async (request) => {
    const { skill_id } = request.params;
    await installations.uninstall(callerOf(request), skill_id);
    return { message: `Skill '${skill_id}' uninstalled` };
  }),
];
