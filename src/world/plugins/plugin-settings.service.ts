import { type TObject, type TSchema, Type } from 'typebox';
import type { PluginManifest, PluginSetting } from '../../content/plugins/index.ts';
import { createSettings, defineSettings } from '../../frame/settings/index.ts';
import { createChecker } from '../../kit/http/validation.ts';
import type { JsonMap } from '../../text/json.ts';
import type { Project } from '../records/index.ts';
import { settingsNames } from './settings-names.ts';

/** Stands for a secret that is set; sent back, it changes nothing. */
const MASK = '••••';

/** The settings are the project's, or a user's own. */
export type SettingsHolder = 'global' | { userId: string };

export interface SettingsPlace {
  project: Project;
  pluginId: string;
  fields: readonly PluginSetting[];
  holder: SettingsHolder;
}

export interface AllSettings {
  project: Project;
  pluginId: string;
  fields: PluginManifest['settings'];
}

type Options = Parameters<typeof createSettings>[1];

const LONGEST_TEXT = 10_000;
const MOST_ENTITIES = 1_000;
/** An id with type and slash. */
const LONGEST_ENTITY = 500;

const isSecret = ({ type }: PluginSetting): boolean => type === 'secret';

/** The values that a setting takes. */
function schemaOf({ type, options = [], min, max }: PluginSetting): TSchema {
  const range = { ...(min !== undefined && { minimum: min }), ...(max !== undefined && { maximum: max }) };
  if (type === 'boolean') return Type.Boolean();
  if (type === 'integer') return Type.Integer(range);
  if (type === 'number') return Type.Number(range);
  if (type === 'object') return Type.Record(Type.String(), Type.Unknown());
  if (type === 'entity-list')
    return Type.Array(Type.String({ maxLength: LONGEST_ENTITY }), { maxItems: MOST_ENTITIES });
  if (type === 'select' && options.length > 0) return Type.Enum(options.map(({ value }) => value));
  return Type.String({ maxLength: LONGEST_TEXT });
}

const schemaOfAll = (fields: readonly PluginSetting[]): TObject =>
  Type.Object(
    Object.fromEntries(
      fields.filter((field) => !isSecret(field)).map((field) => [field.key, Type.Optional(schemaOf(field))]),
    ),
  );

/** The settings of plugins: of a project, or of a user in a project; secrets are sealed (docs/plugins.md). */
export function createPluginSettings(options: Options) {
  const made = new WeakMap<readonly PluginSetting[], ReturnType<typeof make>>();

  function make({ project, pluginId, fields }: Omit<SettingsPlace, 'holder'>) {
    const schema = schemaOfAll(fields);
    const given = { schema, secrets: fields.filter(isSecret).map(({ key }) => key) };
    const names = settingsNames(pluginId, project);
    return {
      isFit: createChecker(schema),
      global: createSettings(defineSettings({ ...given, name: names.global, scope: 'project' }), options),
      user: createSettings(defineSettings({ ...given, name: names.user, scope: 'user' }), options),
    };
  }

  /** Fields belong to one manifest, as it was read for one project. */
  function settingsOf(place: SettingsPlace) {
    const known = made.get(place.fields) ?? make(place);
    made.set(place.fields, known);
    return known;
  }

  async function stored(place: SettingsPlace): Promise<JsonMap> {
    const { global, user } = settingsOf(place);
    const { project, holder } = place;
    const view =
      holder === 'global'
        ? await global.get(project)
        : await user.get({ tenantId: project.tenantId, userId: holder.userId });
    return view?.values ?? {};
  }

  /** Values of an earlier version of the plugin that do not fit this one. */
  function unfit(place: SettingsPlace, values: JsonMap): Set<string> {
    const { isFit } = settingsOf(place);
    const left = Object.entries(values).filter(([key, value]) => isFit({ [key]: value }) !== null);
    return new Set(left.map(([key]) => key));
  }

  async function fitting(place: SettingsPlace): Promise<JsonMap> {
    const values = await stored(place);
    const left = unfit(place, values);
    return Object.fromEntries(Object.entries(values).filter(([key]) => !left.has(key)));
  }

  async function shown(place: SettingsPlace): Promise<JsonMap> {
    const values = await fitting(place);
    const shownOf = (field: PluginSetting): unknown => {
      if (isSecret(field)) return values[`has_${field.key}`] === true ? MASK : null;
      return values[field.key] ?? field.default ?? null;
    };
    return Object.fromEntries(place.fields.map((field) => [field.key, shownOf(field)]));
  }

  return {
    shown,

    /** For pages, which get no secrets: a user's own value where one is set, else the project's. An empty text is not set. */
    async effective({ fields: { global, user }, ...plugin }: AllSettings, userId: string): Promise<JsonMap> {
      const ofProject = await shown({ ...plugin, fields: global, holder: 'global' });
      const own = await fitting({ ...plugin, fields: user, holder: { userId } });
      const countingOf = ({ key, default: otherwise = null }: PluginSetting): unknown =>
        (own[key] === '' ? null : own[key]) ?? ofProject[key] ?? otherwise;
      const secrets = new Set([...global, ...user].filter(isSecret).map(({ key }) => key));
      const open = [...global, ...user].filter(({ key }) => !secrets.has(key));
      return Object.fromEntries(open.map((field) => [field.key, countingOf(field)]));
    },

    /** With secrets in clear: for the plugin's own guest. */
    async open(place: SettingsPlace & { holder: 'global' }): Promise<JsonMap> {
      const values = await shown(place);
      const secrets = place.fields.filter(isSecret).map(({ key }) => key);
      if (secrets.length === 0) return values;
      const opened = (await settingsOf(place).global.read(place.project))?.secrets ?? {};
      return { ...values, ...Object.fromEntries(secrets.map((key) => [key, opened[key] ?? null])) };
    },

    /** 422 for a value that does not fit its field, and for a field that the plugin does not have. */
    async change(place: SettingsPlace, given: JsonMap, actor: string): Promise<JsonMap> {
      const { project, fields, holder } = place;
      const { global, user } = settingsOf(place);
      const secrets = new Set(fields.filter(isSecret).map(({ key }) => key));
      const dropped = [...unfit(place, await stored(place))].map((key) => [key, null]);
      const sent = Object.entries(given).filter(([key, value]) => !(value === MASK && secrets.has(key)));
      const patch: JsonMap = Object.fromEntries([...dropped, ...sent]);
      if (holder === 'global') await global.change(project, { patch, actor });
      else await user.change({ tenantId: project.tenantId, userId: holder.userId }, { patch, actor });
      return shown(place);
    },

    /** The values that were set, without secrets. */
    async plain(place: SettingsPlace): Promise<JsonMap> {
      const values = await stored(place);
      const keys = new Set(place.fields.filter((field) => !isSecret(field)).map(({ key }) => key));
      return Object.fromEntries(Object.entries(values).filter(([key]) => keys.has(key)));
    },

    /** Removes the plugin's settings in a project, everybody's own too. */
    async purge(project: Project, pluginId: string): Promise<void> {
      const { global, user } = make({ project, pluginId, fields: [] });
      await global.remove(project);
      await user.removeOfAll(project.tenantId);
    },
  };
}

export type PluginSettings = ReturnType<typeof createPluginSettings>;
