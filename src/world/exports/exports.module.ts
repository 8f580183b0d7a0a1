import { Readable } from 'node:stream';
import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { Reply, route } from '../../kit/route.ts';
import { projectsModule, requestProject } from '../projects/index.ts';
import { filesOf } from './exported-files.ts';
import { exportArchive } from './exports.contract.ts';
import { zipBytes } from './zip-writer.ts';

export const exportsModule = defineModule({
  name: 'exports',
  tags: {
    Exports: 'Content as files that you take along.',
  },
  uses: { projects: projectsModule },
  create: (_core: CoreContext, { projects }) => ({
    routes: [
      route(exportArchive, async (request) => {
        const project = await requestProject(projects, request);
        const headers = { 'content-disposition': `attachment; filename="${project.projectId}.zip"` };
        return new Reply(Readable.from(zipBytes(filesOf(project.files)), { objectMode: false }), { headers });
      }),
    ],
  }),
});
