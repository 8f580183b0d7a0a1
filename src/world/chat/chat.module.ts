import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { canonModule } from '../canon/index.ts';
import { entitiesModule } from '../entities/index.ts';
import { modelsModule } from '../models/index.ts';
import { projectsModule } from '../projects/index.ts';
import { proposalsModule } from '../proposals/index.ts';
import { referencesModule } from '../references/index.ts';
import { createAnswerChat } from './answer-chat.ts';
import { createAskModel } from './ask-model.ts';
import { chatRoutes } from './chat.routes.ts';
import { createChat } from './chat.service.ts';
import { createFinding } from './finding.ts';
import { canonTool } from './tools/canon.tool.ts';
import { proposeTool } from './tools/propose.tool.ts';
import { readTool } from './tools/read.tool.ts';
import { referencesTool } from './tools/references.tool.ts';
import { searchTool } from './tools/search.tool.ts';

/** Questions about a world, answered by a model with tools or from search. */
export const chatModule = defineModule({
  name: 'chat',
  tags: { Chat: 'Questions about the world, answered with citations, and without a network if need be.' },
  uses: {
    projects: projectsModule,
    entities: entitiesModule,
    references: referencesModule,
    canon: canonModule,
    models: modelsModule,
    proposals: proposalsModule,
  },
  create({ log }: CoreContext, { projects, entities: { entities }, references, canon, models, proposals }) {
    const find = createFinding({ entities });
    const chat = createChat({
      entities,
      find,
      models,
      askModel: createAskModel({ models, proposals: proposals.proposals }),
      tools: {
        reading: [
          searchTool(find),
          readTool(entities),
          referencesTool(entities, references),
          canonTool(entities, canon),
        ],
        proposing: [proposeTool()],
      },
    });
    const answer = createAnswerChat({ projects, chat, log: log.child('chat') });
    return { service: { answer }, routes: chatRoutes(answer) };
  },
});
