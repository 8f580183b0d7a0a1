import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import {
  acceptProposal,
  getProposal,
  listProposals,
  rejectProposal,
  undoProposal,
} from './proposals.contract.ts';
import type { Decided, Proposals } from './proposals.service.ts';

const shown = ({ proposal, entity, isMerged }: Decided) => ({
  proposal,
  version: entity?.version ?? null,
  merged: isMerged,
});

export const proposalRoutes = (projects: Projects, proposals: Proposals): Route[] => [
  route(listProposals, async (request) => {
    const { limit = 50, offset = 0, ...filter } = request.query;
    const page = await proposals.list(await requestProject(projects, request), filter, { limit, offset });
    return { ...page, limit, offset };
  }),
  route(getProposal, async (request) =>
    proposals.get(await requestProject(projects, request), request.params.id),
  ),
  route(acceptProposal, async (request) => {
    const project = await requestProject(projects, request);
    const { actor, plan } = request;
    const ifMatch = request.headers['if-match'];
    const named = { ...request.body, ifMatch };
    return shown(await proposals.accept(project, { actor, plan }, request.params.id, named));
  }),
  route(undoProposal, async (request) => {
    const project = await requestProject(projects, request);
    const { actor, plan } = request;
    const named = { ...request.body, ifMatch: request.headers['if-match'] };
    return shown(await proposals.undo(project, { actor, plan }, request.params.id, named));
  }),
  route(rejectProposal, async (request) => {
    const project = await requestProject(projects, request);
    return shown(await proposals.reject(project, request.actor, request.params.id));
  }),
];
