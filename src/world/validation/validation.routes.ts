import { type Route, route } from '../../kit/route.ts';
import { type Projects, requestProject } from '../projects/index.ts';
import { validateAll, validateType, validationStatus } from './validation.contract.ts';
import type { Validation } from './validation.service.ts';
import { errorsAlone, type ValidationReport } from './validation-run.ts';

const wanted = <Report extends ValidationReport>(report: Report, errors: boolean | undefined): Report =>
  errors === true ? errorsAlone(report) : report;

export const validationRoutes = (projects: Projects, validation: Validation): Route[] => [
  route(validateType, async (request) => {
    const { entity_id, errors } = request.body ?? {};
    const project = await requestProject(projects, request);
    return wanted(await validation.type(project, request.params.type, entity_id), errors);
  }),
  route(validateAll, async (request) => {
    const { wait = true, errors } = request.body ?? {};
    return wanted(await validation.all(await requestProject(projects, request), { wait }), errors);
  }),
  route(validationStatus, async (request) =>
    wanted(validation.status(await requestProject(projects, request)), request.query.errors),
  ),
];
