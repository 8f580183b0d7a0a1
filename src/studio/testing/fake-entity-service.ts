import { mergeText } from '../../content/merge/text.ts';
import { isMap, type JsonMap } from '../../text/json.ts';
import type { EntityAddress, EntityApi } from '../data/drafts/entity-api.ts';
import type { EntityState } from '../domain/drafts/draft.ts';
import { isSame, pathOf, valueAt, withValueAt } from '../domain/field-path.ts';

export const refuse = (status: number, code: string, more: object = {}) =>
  Object.assign(new Error(code), { status, code, detail: code, errors: [], ...more });

export const entityState = (more: Partial<EntityState> = {}): EntityState => ({
  entity_type: 'character',
  entity_id: 'mira',
  name: 'Mira',
  status: 'active',
  fields: {},
  markdown_body: '',
  primary_asset: null,
  validation_errors: [],
  is_valid: true,
  production_status: null,
  template_version: null,
  version: 1,
  checksum: '',
  file_checksum: '',
  created_at: '',
  updated_at: '',
  updated_by: null,
  ...more,
});

/** Merges as the service does: fields by key, maps of two levels, the text by lines. */
export function createFakeEntityService() {
  const histories = new Map<string, EntityState[]>();
  const nameOf = ({ project, type, id }: EntityAddress) => `${project}/${type}/${id}`;

  function historyOf(address: EntityAddress): EntityState[] {
    const history = histories.get(nameOf(address));
    if (!history) throw refuse(404, 'not_found');
    return history;
  }

  function current(address: EntityAddress): EntityState {
    const last = historyOf(address).at(-1);
    if (!last) throw refuse(404, 'not_found');
    return structuredClone(last);
  }

  const put = (address: EntityAddress, entity: EntityState): void => {
    histories.set(nameOf(address), [...(histories.get(nameOf(address)) ?? []), structuredClone(entity)]);
  };

  const apiOf = (user: string): EntityApi => ({
    get: async (address) => current(address),
    async save(address, { base_version, on_conflict: _, ...patch }) {
      const base = historyOf(address)[base_version - 1];
      if (!base) throw refuse(409, 'unknown_base');
      const local = current(address);
      const merged = mergedWith(base, local, patched(base, patch));
      const isChange = !isSame({ ...merged, version: 0 }, { ...local, version: 0 });
      const next = isChange ? { ...merged, version: local.version + 1, updated_by: user } : local;
      if (isChange) put(address, next);
      return { ...structuredClone(next), merged: local.version !== base_version };
    },
    async create({ project, type }, { entity_id, ...given }) {
      const address = { project, type, id: entity_id };
      if (histories.has(nameOf(address))) throw refuse(409, 'entity_exists');
      put(address, entityState({ ...given, entity_type: type, entity_id, updated_by: user }));
      return current(address);
    },
  });

  return {
    apiOf,
    put,
    current,
    historyOf,
    remove: (address: EntityAddress) => histories.delete(nameOf(address)),
  };
}

function patched(base: EntityState, patch: JsonMap): EntityState {
  return merging(base, patch) as EntityState;
}

function merging(base: unknown, patch: JsonMap): JsonMap {
  const next: JsonMap = isMap(base) ? structuredClone(base) : {};
  for (const [key, value] of Object.entries(patch)) {
    if (!isMap(value)) next[key] = value;
    else next[key] = isMap(value.$replace) ? value.$replace : merging(next[key], value);
  }
  return next;
}

const leavesOf = (part: unknown, above: string[] = []): string[] =>
  isMap(part)
    ? Object.entries(part).flatMap(([key, value]) => leavesOf(value, [...above, key]))
    : [pathOf(...above)];

function mergedWith(base: EntityState, local: EntityState, remote: EntityState): EntityState {
  const conflicting: string[] = [];
  let merged: JsonMap = structuredClone(local);
  for (const path of leavesOf({ name: remote.name, status: remote.status, fields: remote.fields })) {
    const [before, ours, theirs] = [base, local, remote].map((side) => valueAt(side, path));
    if (isSame(before, theirs) || isSame(ours, theirs)) continue;
    if (isSame(before, ours)) merged = withValueAt(merged, path, theirs);
    else conflicting.push(path.replace(/^fields\./, ''));
  }
  const text = mergeText(base.markdown_body, local.markdown_body, remote.markdown_body);
  if (!text.clean) conflicting.push('markdown_body');
  if (conflicting.length > 0)
    throw refuse(409, 'edit_conflict', { conflict: { conflicting_fields: conflicting } });
  return { ...merged, markdown_body: text.text } as EntityState;
}
