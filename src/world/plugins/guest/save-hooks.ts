import { ENTITY_STATUSES } from '../../../content/entity/index.ts';
import { type Clock, isoDate, isoTime } from '../../../kit/clock.ts';
import { HttpError, invalid } from '../../../kit/errors.ts';
import { checkStorable } from '../../../kit/http/json-body.ts';
import type { GuestCallName, GuestEntityChange, GuestFinding } from '../../../platform/guests/calls.ts';
import { GuestError } from '../../../platform/guests/guests.ts';
import { deepEqual, isMap, type JsonMap } from '../../../text/json.ts';
import {
  type BeforeChange,
  editEntity,
  type PlannedChange,
  type Replacement,
  requireUpdate,
  type UpdateInput,
} from '../../entities/index.ts';
import type { Project } from '../../records/index.ts';
import { entityJson } from '../../texts/index.ts';
import { jsonOfRow } from './entity-reads.store.ts';
import type { CallGuests, CallOptions } from './guest-calls.ts';
import { hookDeadline } from './hook-deadlines.ts';
import { failedLine, type PluginLog } from './plugin-log.service.ts';
import type { GuestPlugin, GuestPlugins } from './running-plugins.ts';

const optionsOf = (name: GuestCallName): CallOptions => ({
  deadlineMs: hookDeadline(name),
  author: { refusal: 'no entity can be changed while one is being saved' },
  lane: 'saves',
});

/** As the API takes them. */
const STATUSES: readonly string[] = ENTITY_STATUSES;

export interface SaveHooksOptions {
  guestPlugins: GuestPlugins;
  calls: CallGuests;
  log: PluginLog;
  clock: Clock;
}

/**
 * The hooks for a save that a caller waits for: `on-entity-save` of each plugin may change what is written, then
 * `on-entity-validate` of each may refuse it (422). A guest that fails, or is not ready soon, leaves the save as it is: the check
 * afterwards reports what it would have said.
 */
export function createSaveHooks({ guestPlugins, calls, log, clock }: SaveHooksOptions): BeforeChange[] {
  /** Not the plugin that makes the change: it would answer to itself. */
  async function pluginsFor(project: Project, change: PlannedChange): Promise<GuestPlugin[]> {
    if (change.isRestored) return [];
    const found: GuestPlugin[] = [];
    for (const plugin of await guestPlugins.of(project))
      if (plugin.folder.id !== change.guest && (await calls.offersNow(project, plugin, 'hooks')))
        found.push(plugin);
    return found;
  }

  /** Null for an answer that no entity can hold: the fault is the plugin's, and the save goes on without it. */
  async function edit(project: Project, plugin: GuestPlugin, change: PlannedChange, update: UpdateInput) {
    const { template, document } = change;
    try {
      checkStorable(update);
      requireUpdate(template, update);
      const edited = editEntity(template, document, update, isoDate(clock.now()));
      return { ...edited, state: change.stateOf(edited.document) };
    } catch (error) {
      if (!(error instanceof HttpError)) throw error;
      const about = `${template.entity_type}/${change.entity_id}`;
      await log.add(project, plugin.folder.id, [failedLine(`The answer cannot be saved: ${error.message}`)], {
        call: 'on-entity-save',
        about,
        took_ms: null,
      });
      return null;
    }
  }

  const saveHook: BeforeChange = async (project, change) => {
    let current = change;
    const replacements: Replacement[] = [];
    for (const plugin of await pluginsFor(project, change)) {
      const given = await changeFor(project, current, clock);
      const answer = await unlessItFails(
        calls.call(project, plugin, 'on-entity-save', [given], {
          ...optionsOf('on-entity-save'),
          effectOf: (result) => wordsOfUpdate(given.entity, result),
        }),
      );
      const update = answer === null ? null : updateIn(given.entity, answer);
      if (update === null) continue;
      const edited = await edit(project, plugin, current, update);
      if (edited === null) continue;
      if (edited.changed.length === 0) continue;
      const { document, changed: parts } = edited;
      replacements.push({ document, changed: parts, via: plugin.folder.id });
      current = { ...current, document: edited.document, state: edited.state };
    }
    return joined(replacements);
  };

  const validateHook: BeforeChange = async (project, change) => {
    const plugins = await pluginsFor(project, change);
    if (plugins.length === 0) return null;
    const given = await changeFor(project, change, clock);
    for (const plugin of plugins) {
      const findings = await unlessItFails(
        calls.call(project, plugin, 'on-entity-validate', [given], {
          ...optionsOf('on-entity-validate'),
          effectOf: wordsOfRefusal,
        }),
      );
      const errors = errorsIn(findings ?? []);
      const first = errors[0];
      if (first === undefined) continue;
      const name = plugin.manifest.name;
      throw invalid(`${name} refuses this: ${wordsOf(first)}`, {
        code: 'refused_by_plugin',
        errors: errors.map(({ field, message }) => ({
          field: field ?? '',
          message: `${name}: ${message}`,
        })),
      });
    }
    return null;
  };

  return [saveHook, validateHook];
}

const errorsIn = (findings: readonly GuestFinding[]): GuestFinding[] =>
  findings.filter(({ severity }) => severity === 'error');

const wordsOf = ({ field, message }: GuestFinding): string =>
  `${field === null ? '' : `${field}: `}${message}`;

function wordsOfRefusal(findings: readonly GuestFinding[]): string | null {
  const errors = errorsIn(findings);
  return errors.length === 0 ? null : `It refused what was to be saved: ${errors.map(wordsOf).join('; ')}`;
}

function wordsOfUpdate(given: string, answer: string | null): string | null {
  const update = answer === null ? null : updateIn(given, answer);
  if (update === null) return null;
  const { fields = {}, ...parts } = update;
  return `It answered with another state to save: ${[...Object.keys(parts), ...Object.keys(fields)].join(', ')}`;
}

/** A failure is in the plugin's log. */
const unlessItFails = <Result>(call: Promise<Result>): Promise<Result | null> =>
  call.catch((error: unknown) => {
    if (error instanceof GuestError) return null;
    throw error;
  });

async function changeFor(
  project: Project,
  { template, entity_id: id, state, row, actor, source }: PlannedChange,
  clock: Clock,
): Promise<GuestEntityChange> {
  const now = isoTime(clock.now());
  const stamp = {
    version: (row?.version ?? 0) + 1,
    created_at: row?.created_at ?? now,
    updated_at: now,
    updated_by: actor,
    source,
  };
  return {
    entityType: template.entity_type,
    id,
    entity: entityJson(state, stamp),
    previous: row === null ? null : await jsonOfRow(project, row.row_id),
  };
}

/** The changes that a hook's answer makes; null if there are none, or if it is no entity. */
export function updateIn(given: string, answer: string): UpdateInput | null {
  const before: JsonMap = JSON.parse(given);
  const after = mapOf(answer);
  if (after === null) return null;
  const update: Record<string, unknown> = {};
  for (const part of ['name', 'status', 'markdown_body'])
    if (typeof after[part] === 'string' && after[part] !== before[part]) update[part] = after[part];
  if (update.status !== undefined && !STATUSES.includes(String(update.status))) delete update.status;
  const fields =
    isMap(after.fields) && isMap(before.fields) ? changedFields(before.fields, after.fields) : {};
  if (Object.keys(fields).length > 0) update.fields = fields;
  return Object.keys(update).length === 0 ? null : update;
}

const changedFields = (before: JsonMap, after: JsonMap): JsonMap =>
  Object.fromEntries(Object.entries(after).filter(([key, value]) => !deepEqual(before[key], value)));

function mapOf(text: string): JsonMap | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? value : null;
  } catch {
    return null;
  }
}

function joined(replacements: readonly Replacement[]): Replacement | null {
  const last = replacements.at(-1);
  if (last === undefined) return null;
  return {
    document: last.document,
    changed: replacements.flatMap(({ changed }) => changed),
    via: replacements.map(({ via }) => via).join(','),
  };
}
