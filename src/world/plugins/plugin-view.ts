import { needsConsent, type PluginManifest, type PluginPermission } from '../../content/plugins/index.ts';
import type { PluginFolder } from './plugin-folders.ts';
import { MANIFEST, PLUGINS_FOLDER } from './plugin-rows.store.ts';
import type { PluginDecisions } from './plugin-states.store.ts';
import type { PluginReply, PluginState } from './plugins.contract.ts';

/** A plugin with what was decided about it. */
export interface PluginView {
  folder: PluginFolder;
  decisions: PluginDecisions;
  state: PluginState;
  permissions: PluginReply['permissions'];
}

/** Only an enabled plugin is shown and runs; its manifest could be read. */
export interface RunningPlugin extends PluginView {
  manifest: PluginManifest;
}

/** A guest that reads settings gets secrets in clear, so an admin must agree to it where there are any. */
export const needsAnswer = ({ manifest }: PluginFolder, permission: PluginPermission): boolean =>
  needsConsent(permission) ||
  (permission === 'settings:read' &&
    manifest?.settings.global.some(({ type }) => type === 'secret') === true);

export function viewOf(folder: PluginFolder, decisions: PluginDecisions, isAllowed: boolean): PluginView {
  const permissions = (folder.manifest?.permissions ?? []).map((permission) => {
    const needs_consent = needsAnswer(folder, permission);
    const answer = needs_consent ? decisions.answers[permission] : undefined;
    const answered = answer?.granted === true ? ('granted' as const) : ('refused' as const);
    return {
      permission,
      needs_consent,
      state: !needs_consent ? ('granted' as const) : answer === undefined ? ('asked' as const) : answered,
      answered_by: answer?.by ?? null,
      answered_at: answer?.at ?? null,
    };
  });
  return { folder, decisions, permissions, state: stateOf(folder, decisions, isAllowed, permissions) };
}

function stateOf(
  { manifest }: PluginFolder,
  { enabled }: PluginDecisions,
  isAllowed: boolean,
  permissions: PluginReply['permissions'],
): PluginState {
  if (manifest === null) return 'broken';
  if (!isAllowed) return 'blocked';
  if (!enabled) return 'disabled';
  return permissions.some(({ state }) => state === 'asked') ? 'waiting' : 'enabled';
}

export const isGranted = ({ permissions }: PluginView, permission: string): boolean =>
  permissions.some((one) => one.permission === permission && one.state === 'granted');

/** The hosts that an admin granted it to send requests to. */
export const grantedHosts = ({ permissions }: PluginView): string[] =>
  permissions.flatMap(({ permission, state }) =>
    permission.startsWith('http:') && state === 'granted' ? [permission.slice('http:'.length)] : [],
  );

/** Says where the page with an id is, on the origin of the plugin. */
export type AddressOfPage = (pageId: string) => string | null;

/** `origin` as in the reply. */
export function replyOf(view: PluginView, origin: string | null, addressOf: AddressOfPage): PluginReply {
  const { folder, decisions, state, permissions } = view;
  const { manifest } = folder;
  const paged = <Item extends { id: string; url: string | null }>(items: readonly Item[] = []) =>
    items.map((item) => ({ ...item, url: item.url === null ? null : addressOf(item.id) }));
  return {
    id: folder.id,
    name: manifest?.name ?? folder.id,
    version: manifest?.version ?? '',
    description: manifest?.description ?? '',
    trust_tier: manifest?.trust_tier ?? 'community',
    author: manifest?.author ?? null,
    license: manifest?.license ?? null,
    icon: manifest?.icon ?? null,
    homepage: manifest?.homepage ?? null,
    category: manifest?.category ?? null,
    accent_color: manifest?.accent_color ?? null,
    type: manifest?.type ?? null,
    state,
    problems: folder.problems.map((problem) => ({
      ...problem,
      path: `${PLUGINS_FOLDER}/${folder.id}/${MANIFEST}`,
    })),
    permissions,
    origin,
    panels: paged(manifest?.panels),
    widgets: paged(manifest?.widgets),
    pages: paged(manifest?.pages),
    commands: paged(manifest?.commands),
    settings: manifest?.settings ?? { global: [], user: [] },
    has_guest: manifest?.backend != null,
    installed_at: decisions.installed_at,
    installed_by: decisions.installed_by,
  };
}
