import { keepPreviousData, useQuery } from '@tanstack/react-query';
import { contradictionFinding, type Finding, pluginFinding, ruleFinding } from '../../domain/findings.ts';
import { apiOf } from '../api.ts';
import { keys } from '../cache.ts';
import { type EntityAddress, useEntityVersion } from '../entity.ts';
import { hasGuests } from '../plugins/plugins.ts';

const MOST = 500;

/** The findings of one entity, loaded again for each of its versions. */
export const useEntityFindings = (entity: EntityAddress) => {
  const { project, type, id } = entity;
  const version = useEntityVersion(entity);
  return useQuery({
    queryKey: [...keys.findings(project), type, id, version],
    enabled: version !== undefined,
    placeholderData: keepPreviousData,
    queryFn: ({ signal }) => loadEntityFindings(entity, signal),
  });
};

/**
 * The findings of one entity, accepted ones too, with contradictions as the world is now: a check that is older than
 * its last change is made anew. Broken references are those of the entity's references.
 */
async function loadEntityFindings(
  { project, type, id }: EntityAddress,
  signal: AbortSignal,
): Promise<Finding[]> {
  const ask = (accepted: 'true' | 'false') =>
    apiOf(project).canonFindings({ query: { entity: `${type}/${id}`, accepted, limit: MOST }, signal });
  const rules = apiOf(project).validateRules({ params: { type }, body: { entity_id: id }, signal });
  const [last, broken, ofPlugins] = await Promise.all([
    ask('false'),
    rules,
    pluginFindingsOf({ project, type, id }, signal),
  ]);
  const isOld = last.status === 'none' || last.stale;
  if (isOld) await apiOf(project).checkCanon({ body: { limit: 1 }, signal });
  const open = isOld ? await ask('false') : last;
  const accepted = open.accepted > 0 ? await ask('true') : { findings: [] };
  const contradictions = [...open.findings, ...accepted.findings];
  return [
    ...contradictions.map(contradictionFinding),
    ...broken.findings.map(ruleFinding),
    ...ofPlugins.map(pluginFinding),
  ];
}

async function pluginFindingsOf({ project, type, id }: EntityAddress, signal: AbortSignal) {
  if (!(await hasGuests(project))) return [];
  const query = { entity_type: type, entity_id: id };
  return (await apiOf(project).listPluginFindings({ query, signal })).findings;
}
