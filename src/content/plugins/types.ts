import type { FieldType } from '../template/index.ts';

/** Spec 2 §2.6, in one form for all spellings, and as replies carry it. What a file does not say is null or empty. */
export interface PluginManifest {
  id: string;
  name: string;
  /** A semantic version, unless an installed file has another text. */
  version: string;
  description: string;
  trust_tier: string;
  author: string | null;
  license: string | null;
  icon: string | null;
  homepage: string | null;
  category: string | null;
  /** `#` and hexadecimal digits. */
  accent_color: string | null;
  type: string | null;
  backend: { entry: string } | null;
  /** Files of another language (spec 2 §9), as the file names them. They never run. */
  legacy_routes: string[];
  panels: PluginPanel[];
  widgets: PluginWidget[];
  pages: PluginPage[];
  commands: PluginCommand[];
  settings: { global: PluginSetting[]; user: PluginSetting[] };
  /** Sorted, each once. */
  permissions: PluginPermission[];
}

export const PANEL_LOCATIONS = ['entity-sidebar', 'entity-tab', 'entity-footer'] as const;
export type PanelLocation = (typeof PANEL_LOCATIONS)[number];

/** A `url` is a path below the plugin's folder. An `icon` is one too if it has a dot or slash, else an emoji or name. */
export interface PluginPanel {
  id: string;
  title: string;
  location: PanelLocation;
  /** None means all. */
  entity_types: string[];
  url: string;
  icon: string | null;
}

export interface PluginWidget {
  id: string;
  label: string;
  category: string | null;
  accepts_options: boolean;
  value_type: FieldType | null;
  url: string;
}

export interface PluginPage {
  id: string;
  title: string;
  /** Without a slash at its beginning. */
  route: string;
  icon: string | null;
  /** Null: there is nothing to show yet. */
  url: string | null;
}

export interface PluginCommand {
  id: string;
  title: string;
  icon: string | null;
  url: string | null;
}

export const SETTING_TYPES = [
  ...(['string', 'text', 'boolean', 'integer', 'number', 'select', 'color', 'secret'] as const),
  ...(['object', 'entity', 'entity-list'] as const),
] as const;
export type SettingType = (typeof SETTING_TYPES)[number];

export interface PluginSetting {
  key: string;
  label: string;
  type: SettingType;
  description: string | null;
  required: boolean;
  /** A JSON value that fits the type; null if there is none, and always for secrets. */
  default: unknown;
  /** Of a select, never empty. */
  options?: SettingOption[];
  /** Of an integer or number. */
  min?: number;
  max?: number;
}

export interface SettingOption {
  value: string | number;
  label: string;
}

export const PLAIN_PERMISSIONS = [
  ...(['entities:read', 'entities:write', 'assets:read', 'assets:write'] as const),
  ...(['ai:generate', 'settings:read', 'events:emit', 'kv'] as const),
] as const;
/** `http:` is followed by a host, perhaps with `*.` before and a port behind it. */
export type PluginPermission = (typeof PLAIN_PERMISSIONS)[number] | `http:${string}`;

/** `pointer` is a JSON pointer, '' for the whole; `line` and `column` count from 1. */
export interface ManifestProblem {
  severity: 'error' | 'warning';
  message: string;
  pointer: string;
  line: number;
  column: number;
}
