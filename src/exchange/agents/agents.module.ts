import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import type { CallRoute } from '../../kit/http/route-calls.ts';
import { projectsModule } from '../../world/projects/index.ts';
import { proposalsModule } from '../../world/proposals/index.ts';
import { skillsModule } from '../../world/skills/index.ts';
import { realtimeModule } from '../realtime/index.ts';
import { agentRoutes } from './agents.routes.ts';
import { createAgentService } from './agents.service.ts';
import { createChanges } from './changes/changes.service.ts';
import { createOpenStreams } from './http/open-streams.ts';
import { createAgentSkills } from './prompts/skills.service.ts';
import { createWatchResources } from './resources/watch-resources.ts';
import { createSessions } from './sessions/sessions.ts';
import { createWithProject } from './with-project.ts';

export interface AgentsContext extends CoreContext {
  /** Calls the routes of the modules below this one. */
  callRoute: CallRoute;
  /** Of the service. */
  version: string;
}

/** The Model Context Protocol: a world as tools, resources and prompts for agents. */
export const agentsModule = defineModule({
  name: 'agents',
  tags: {
    Agents:
      'The Model Context Protocol: tools, resources and prompts, by which agents read a world and propose changes.',
  },
  uses: {
    projects: projectsModule,
    proposals: proposalsModule,
    skills: skillsModule,
    realtime: realtimeModule,
  },
  create(
    { callRoute, version, authenticate, keyValue, clock, config, log: parent }: AgentsContext,
    { projects, proposals: proposing, skills, realtime },
  ) {
    const log = parent.child('agents');
    const withProject = createWithProject(projects);
    const service = createAgentService({
      callRoute,
      changesFor: createChanges({ ...proposing, withProject, clock }),
      skillsOf: createAgentSkills({ ...skills, withProject }),
      watchResources: createWatchResources({ projects, feeds: realtime.feeds, log }),
      streams: createOpenStreams({ authenticate }),
      version,
      log,
    });
    const sessions = createSessions({ keyValue, clock });
    return { service, routes: agentRoutes({ service, sessions, origins: originsOf(config) }) };
  },
});

const originsOf = ({ corsOrigins, publicUrl }: CoreContext['config']): string[] => {
  const own = publicUrl === null ? null : URL.parse(publicUrl);
  return own === null ? [...corsOrigins] : [...corsOrigins, own.origin];
};
