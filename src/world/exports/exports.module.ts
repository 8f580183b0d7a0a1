import { Readable } from 'node:stream';
import type { CoreContext } from '../../frame/context.ts';
import { defineModule } from '../../frame/module.ts';
import { Reply, route } from '../../kit/route.ts';
import { projectsModule, requestProject } from '../projects/index.ts';
import type { Project } from '../records/index.ts';
import { filesOf } from './exported-files.ts';
import { exportArchive } from './exports.contract.ts';
import { type ZipSource, zipBytes } from './zip-writer.ts';

/** Files of an archive that do not lie in the content folder. */
export type ExportPart = (project: Project, actor: string) => AsyncGenerator<ZipSource>;

export const exportsModule = defineModule({
  name: 'exports',
  tags: {
    Exports: 'Content as files that you take along.',
  },
  uses: { projects: projectsModule },
  create(_core: CoreContext, { projects }) {
    const parts: ExportPart[] = [];

    /** A file with the name of a part's is from an export that was unpacked as content: what is stored now counts. */
    async function* everythingOf(project: Project, actor: string): AsyncGenerator<ZipSource> {
      const given = new Set<string>();
      for (const part of parts)
        for await (const source of part(project, actor)) {
          given.add(source.path);
          yield source;
        }
      yield* filesOf(project.files, given);
    }

    return {
      service: { add: (part: ExportPart): void => void parts.push(part) },
      routes: [
        route(exportArchive, async (request) => {
          const project = await requestProject(projects, request);
          const headers = { 'content-disposition': `attachment; filename="${project.projectId}.zip"` };
          const bytes = zipBytes(everythingOf(project, request.actor));
          return new Reply(Readable.from(bytes, { objectMode: false }), { headers });
        }),
      ],
    };
  },
});
