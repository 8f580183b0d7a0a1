import type { CoreContext } from '../../../frame/context.ts';
import { defineModule } from '../../../frame/module.ts';
import { templatesModule } from '../../definitions/index.ts';
import { modelsModule } from '../../models/index.ts';
import { projectsModule } from '../../projects/index.ts';
import { proposalsModule } from '../../proposals/index.ts';
import { skillsModule } from '../../skills/index.ts';
import { createGenerating } from '../generating.ts';
import { createFillJobs } from './fill.jobs.ts';
import { FILL_QUEUE } from './fill.service.ts';

const AT_ONCE = 2;
/** Short: a lease lost by mistake costs a job that finds the proposal already stored. */
const LEASE_MS = 6_000;

/** Asks models for the entities of runs. */
export const fillJobsModule = defineModule({
  name: 'fill jobs',
  uses: {
    projects: projectsModule,
    templates: templatesModule,
    models: modelsModule,
    proposals: proposalsModule,
    skills: skillsModule,
  },
  create({ clock, log }: Pick<CoreContext, 'clock' | 'log'>, { projects, ...services }) {
    const { gather, run } = createGenerating({ ...services, clock });
    const { models, proposals } = services;
    const fillLog = log.child('fill');
    const works = createFillJobs({
      ...{ projects, gather, run, models, clock },
      proposals: proposals.proposals,
      log: fillLog,
    });
    return {
      jobs: [
        {
          queue: FILL_QUEUE,
          ...works,
          atOnce: AT_ONCE,
          log: fillLog,
          timings: { leaseMs: LEASE_MS },
        },
      ],
    };
  },
});
