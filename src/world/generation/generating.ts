import type { AskedTarget } from '../../content/ai/index.ts';
import type { Clock } from '../../kit/clock.ts';
import type { TemplateRegistry } from '../definitions/index.ts';
import type { Models } from '../models/index.ts';
import type { AiSettingsService, Proposals } from '../proposals/index.ts';
import type { Project } from '../records/index.ts';
import { createAllowed } from './allowed-target.ts';
import { createGather, type Wish } from './gather.ts';
import { createGeneration } from './generation.service.ts';
import { createRun } from './run.ts';

export interface GeneratingOptions {
  templates: TemplateRegistry;
  models: Models;
  proposals: { proposals: Proposals; aiSettings: AiSettingsService };
  clock: Clock;
}

/** The parts of a generation, for the routes and for jobs. */
export function createGenerating({
  templates,
  models,
  proposals: { proposals, aiSettings },
  clock,
}: GeneratingOptions) {
  const gather = createGather({
    templates,
    skillsFor: async () => [],
    allowed: createAllowed(aiSettings),
  });
  const run = createRun({ models, proposals, clock });
  return {
    gather,
    run,
    generation: createGeneration({ gather, models, proposals, run }),

    /** Refuses a type that does not exist or is forbidden, and named fields that are. */
    async checkWish(
      project: Project,
      entityType: string,
      target: AskedTarget,
      wish: Omit<Wish, 'target' | 'answers' | 'entity_type' | 'entity_id'>,
    ) {
      await gather(project, { ...wish, entity_type: entityType, entity_id: null, target, answers: [] });
    },
  };
}
