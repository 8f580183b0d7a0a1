import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import type { DraftCheck } from './draft-findings.ts';
import { validateAll, validateDraft, validateType, validationStatus } from './validation.contract.ts';
import type { Validation } from './validation.service.ts';
import { errorsAlone, type ValidationReport } from './validation-run.ts';

const wanted = <Report extends ValidationReport>(report: Report, errors: boolean | undefined): Report =>
  errors === true ? errorsAlone(report) : report;

export const validationRoutes = ({
  projects,
  validation,
  checkDraft,
}: {
  projects: Projects;
  validation: Validation;
  checkDraft: DraftCheck;
}): Route[] => [
  route(validateType, async (request) => {
    const { entity_id, errors } = request.body ?? {};
    const project = await requestProject(projects, request);
    return wanted(await validation.type(project, request.params.type, entity_id), errors);
  }),
  route(validateAll, async (request) => {
    const { wait = true, errors } = request.body ?? {};
    return wanted(await validation.all(await requestProject(projects, request), { wait }), errors);
  }),
  route(validateDraft, async (request) => {
    const { entity_type, ...input } = request.body;
    return checkDraft(await requestProject(projects, { ...request, changes: false }), entity_type, input);
  }),
  route(validationStatus, async (request) =>
    wanted(validation.status(await requestProject(projects, request)), request.query.errors),
  ),
];
