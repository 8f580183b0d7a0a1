import { CANON_SETTINGS_PATH } from '../../content/canon/index.ts';
import { Reply, type Route, route } from '../../kit/route.ts';
import { type ProjectRequest, type Projects, requestProject } from '../projects/index.ts';
import { acceptFinding, reopenFinding } from './accepted-findings.ts';
import {
  acceptCanonFinding,
  canonFindings,
  checkCanonRoute,
  getCanonSettings,
  putCanonSettings,
  reopenCanonFinding,
} from './canon.contract.ts';
import type { Canon } from './canon.service.ts';
import { readSettingsFile, type SettingsFile, updateSettings } from './canon-settings.service.ts';

const PAGE = 50;

export function canonRoutes({ projects, canon }: { projects: Projects; canon: Canon }): Route[] {
  const projectOf = (request: ProjectRequest) => requestProject(projects, request);
  return [
    route(checkCanonRoute, async (request) => {
      const { wait = true, limit = PAGE } = request.body ?? {};
      return canon.check(await projectOf({ ...request, changes: false }), { wait, limit });
    }),
    route(canonFindings, async (request) => {
      const { kind, entity, accepted, limit = PAGE, offset = 0 } = request.query;
      return canon.findings(await projectOf(request), {
        kind,
        entity,
        accepted: accepted === 'true',
        limit,
        offset,
      });
    }),
    route(acceptCanonFinding, async (request) => {
      const project = await projectOf(request);
      const { finding_id } = request.params;
      const { reason } = request.body;
      await acceptFinding(project, { finding_id, reason });
      return { finding_id, reason, ...(await canon.tally(project)) };
    }),
    route(reopenCanonFinding, async (request) => {
      const project = await projectOf(request);
      const { finding_id } = request.params;
      await reopenFinding(project, finding_id);
      return { finding_id, reason: null, ...(await canon.tally(project)) };
    }),
    route(getCanonSettings, async (request) =>
      settingsReply(await readSettingsFile((await projectOf(request)).files)),
    ),
    route(putCanonSettings, async (request) =>
      settingsReply(
        await updateSettings(await projectOf(request), request.body, request.headers['if-match']),
      ),
    ),
  ];
}

function settingsReply({ settings, problems, etag }: SettingsFile): Reply {
  const body = {
    path: CANON_SETTINGS_PATH,
    calendar: settings.declared,
    checks: settings.checks,
    accepted: settings.accepted,
    problems,
  };
  return new Reply(body, etag === null ? {} : { headers: { etag } });
}
