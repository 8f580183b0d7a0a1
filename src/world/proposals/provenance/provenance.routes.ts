import { Readable } from 'node:stream';
import { Reply, type Route, route } from '../../../kit/route.ts';
import { type Projects, requestProject } from '../../projects/index.ts';
import { disclosedEntities } from './disclosure.service.ts';
import { DISCLOSURE_TYPES, WRITERS } from './disclosure-formats.ts';
import { getDisclosure, getProvenance } from './provenance.contract.ts';
import type { ProvenanceService } from './provenance.service.ts';

export const provenanceRoutes = (projects: Projects, provenance: ProvenanceService): Route[] => [
  route(getProvenance, async (request) => {
    const { type, id } = request.params;
    return provenance.get(await requestProject(projects, request), type, id);
  }),
  route(getDisclosure, async (request) => {
    const { format = 'md' } = request.query;
    const project = await requestProject(projects, request);
    const pieces = WRITERS[format](disclosedEntities(project, provenance));
    return new Reply(Readable.from(pieces, { objectMode: false }), {
      headers: {
        'content-type': DISCLOSURE_TYPES[format],
        'content-disposition': `attachment; filename="ai-disclosure.${format}"`,
      },
    });
  }),
];
