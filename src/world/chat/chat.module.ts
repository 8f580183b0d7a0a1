import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { entitiesModule } from '../entities/index.ts';
import { projectsModule } from '../projects/index.ts';
import { createAnswerChat } from './answer-chat.ts';
import { chatRoutes } from './chat.routes.ts';
import { createChat } from './chat.service.ts';
import { createFinding } from './finding.ts';

/** Questions about a world, answered by a model with tools or from search. */
export const chatModule = defineModule({
  name: 'chat',
  tags: { Chat: 'Questions about the world, answered with citations, and without a network if need be.' },
  uses: { projects: projectsModule, entities: entitiesModule },
  create({ log }: CoreContext, { projects, entities: { entities } }) {
    const chat = createChat({ find: createFinding({ entities }) });
    const answer = createAnswerChat({ projects, chat, log: log.child('chat') });
    return { service: { answer }, routes: chatRoutes(answer) };
  },
});
