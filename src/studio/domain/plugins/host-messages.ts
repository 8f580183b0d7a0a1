import type { JsonMap } from '../../../text/json.ts';
import type { CallId } from './frame-messages.ts';

const SURFACES = [
  'base',
  'elevated',
  'overlay',
  'input',
  'navigation',
  'primary',
  'secondary',
  'accent',
  'success',
  'warning',
  'error',
  'info',
];
const ASPECTS = ['bg', 'text', 'text-secondary', 'border', 'hover', 'active'];

/** The variables of the theme that pages of plugins are drawn with. */
export const THEME_VARIABLES: readonly string[] = SURFACES.flatMap((surface) =>
  ASPECTS.map((aspect) => `--surface-${surface}-${aspect}`),
);

export type ShownTheme = 'light' | 'dark';

export interface EntityData {
  entityType: string | null;
  entityId: string | null;
  /** As the API has it, with what is not saved yet; null without the permission to read it. */
  data: JsonMap | null;
}

export interface WidgetState {
  value: unknown;
  disabled: boolean;
  options: JsonMap;
}

/** What the guest of a plugin, perhaps of another one, has told everybody. */
export interface PluginEvent {
  pluginId: string;
  name: string;
  payload: unknown;
}

export type CallResult = { ok: true; result: unknown } | { ok: false; status: number; detail: string };

/** The messages to a plugin's page (spec 2 §6.4), and two of our own: events, and answers to calls. */
export type HostMessage =
  | ({ type: 'entity-context'; theme: ShownTheme; language: string; hostOrigin: string } & EntityData)
  | ({ type: 'entity-updated' } & EntityData)
  | { type: 'theme-change'; theme: ShownTheme }
  | { type: 'host-theme-response'; variables: Readonly<Record<string, string>> }
  /** `repeated`: told before, and again only because the page may not have listened yet. */
  | ({ type: 'host-field-widget-update'; repeated?: true } & WidgetState)
  | ({ type: 'plugin-event' } & PluginEvent)
  | ({ type: 'host-result'; callId: CallId } & CallResult);
