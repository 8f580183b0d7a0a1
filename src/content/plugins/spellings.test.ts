import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { JsonMap } from '../../text/json.ts';
import {
  type PluginManifest,
  type PluginPanel,
  type PluginSetting,
  type PluginWidget,
  readManifest,
  type SettingType,
} from './index.ts';

const REQUIRED = {
  id: 'atlas',
  name: 'Atlas',
  version: '1.2.0',
  description: 'Maps of the world.',
  trust_tier: 'community',
};

const EMPTY: PluginManifest = {
  ...REQUIRED,
  ...{
    author: null,
    license: null,
    icon: null,
    homepage: null,
    category: null,
    accent_color: null,
    type: null,
  },
  ...{ backend: null, legacy_routes: [], panels: [], widgets: [], pages: [], commands: [] },
  settings: { global: [], user: [] },
  permissions: [],
};

const PANEL: PluginPanel = {
  id: 'map',
  title: 'Map',
  location: 'entity-sidebar',
  entity_types: ['location'],
  url: 'panels/map.html',
  icon: 'icons/map.svg',
};
const WIDGET: PluginWidget = {
  id: 'hex',
  label: 'Hexagon',
  category: 'Places',
  accepts_options: true,
  value_type: 'string',
  url: 'widgets/hex.html',
};
const PAGE = { id: 'world', title: 'World map', route: 'world', icon: '🗺️', url: 'pages/world.html' };
const COMMAND = { id: 'redraw', title: 'Redraw', icon: null, url: null };

const setting = (key: string, label: string, type: SettingType): PluginSetting => ({
  ...{ key, label, type },
  ...{ description: null, required: false, default: null },
});
const KEY = { ...setting('api_key', 'Key', 'secret'), required: true };
const SCALE = { ...setting('scale', 'Scale', 'integer'), description: 'Miles', default: 4, min: 1, max: 9 };
const INK = { value: 'ink', label: 'ink' };
const TWO = { value: 2, label: 'Two' };
const STYLE = { ...setting('style', 'Style', 'select'), default: 'ink', options: [INK, TWO] };

const ABOUT = {
  author: 'Ada',
  license: 'MIT',
  icon: 'icon.png',
  homepage: 'https://example.com/atlas',
  type: 'full',
  category: 'Maps',
  accent_color: '#2F6F4F',
} as const;

/** Each says something beside what is required, and tells what is read from it. */
const CASES: readonly [string, JsonMap, Partial<PluginManifest>][] = [
  ['nothing more than required', {}, {}],
  ['everything about the plugin', ABOUT, ABOUT],
  ['an author as an object', { author: { name: 'Ada', email: 'ada@example.com' } }, { author: 'Ada' }],
  ['an icon that is an emoji of several characters', { icon: '🧙🏽‍♀️' }, { icon: '🧙🏽‍♀️' }],
  ['an icon that is a name', { icon: 'map-pin' }, { icon: 'map-pin' }],
  ['camelCase', { accentColor: '#fff', trustTier: 'official' }, { accent_color: '#fff' }],
  ['nulls and empty texts', { author: null, license: '', capabilities: null, permissions: null }, {}],
  ['unknown keys', { engines: { host: '>=1' }, $schema: 'x', capabilities: { mystery: 1 } }, {}],
  ['spaces around and inside a line', { author: '  Ada \n Lovelace ' }, { author: 'Ada Lovelace' }],
  ['a panel as specified', { capabilities: { frontend: { panels: [PANEL] } } }, { panels: [PANEL] }],
  ['a panel beside capabilities', { frontend: { panels: [PANEL] } }, { panels: [PANEL] }],
  ['panels at the top', { panels: [PANEL] }, { panels: [PANEL] }],
  [
    'a panel as a surface',
    {
      surfaces: [
        {
          ...{ type: 'panel', id: 'map', label: 'Map', placement: 'sidebar', entityTypes: 'location' },
          ...{ artifact: 'panels/map.html', icon: 'icons/map.svg' },
        },
      ],
    },
    { panels: [PANEL] },
  ],
  [
    'the same panel in two spellings',
    { capabilities: { frontend: { panels: [PANEL] } }, surfaces: [{ type: 'panel', ...PANEL }] },
    { panels: [PANEL] },
  ],
  [
    'other words for locations',
    {
      panels: [
        { ...PANEL, id: 'a', location: 'ENTITY_TAB' },
        { ...PANEL, id: 'b', location: 'entity.footer' },
        { ...PANEL, id: 'c', location: 'tab' },
      ],
    },
    {
      panels: [
        { ...PANEL, id: 'a', location: 'entity-tab' },
        { ...PANEL, id: 'b', location: 'entity-footer' },
        { ...PANEL, id: 'c', location: 'entity-tab' },
      ],
    },
  ],
  [
    'a panel for all types, without title and icon',
    {
      panels: [
        { id: 'a_map', location: 'entity-tab', url: 'a.html' },
        { id: 'b', location: 'entity-tab', url: 'b.html', entity_types: [] },
        { id: 'c', location: 'entity-tab', url: 'c.html', entity_types: ['*'] },
        { id: 'd', location: 'entity-tab', url: 'd.html', entity_types: 'all' },
      ],
    },
    {
      panels: [
        { id: 'a_map', title: 'A map', location: 'entity-tab', entity_types: [], url: 'a.html', icon: null },
        { id: 'b', title: 'B', location: 'entity-tab', entity_types: [], url: 'b.html', icon: null },
        { id: 'c', title: 'C', location: 'entity-tab', entity_types: [], url: 'c.html', icon: null },
        { id: 'd', title: 'D', location: 'entity-tab', entity_types: [], url: 'd.html', icon: null },
      ],
    },
  ],
  [
    'a widget as specified',
    {
      capabilities: { frontend: { field_widgets: [{ ...WIDGET, url: undefined, preview_url: WIDGET.url }] } },
    },
    { widgets: [WIDGET] },
  ],
  ['a widget with url', { capabilities: { frontend: { field_widgets: [WIDGET] } } }, { widgets: [WIDGET] }],
  [
    'a widget as a surface',
    { surfaces: [{ type: 'field_widget', ...WIDGET, value_type: 'Text' }] },
    { widgets: [WIDGET] },
  ],
  [
    'a widget with nothing optional',
    { widgets: [{ id: 'hex', url: 'hex.html' }] },
    {
      widgets: [
        {
          id: 'hex',
          label: 'Hex',
          category: null,
          accepts_options: false,
          value_type: null,
          url: 'hex.html',
        },
      ],
    },
  ],
  ['a page', { pages: [{ ...PAGE, route: '/world/' }] }, { pages: [PAGE] }],
  [
    'a page of the frontend with a label, and its id as route',
    { frontend: { pages: [{ ...PAGE, title: null, label: 'World map', route: undefined }] } },
    { pages: [PAGE] },
  ],
  [
    'names that are called names',
    {
      pages: [{ ...PAGE, title: undefined, name: 'World map' }],
      nav_entries: [{ page_id: 'world', name: 'Maps' }],
    },
    { pages: [PAGE] },
  ],
  ['a page as a surface', { surfaces: [{ type: 'page', ...PAGE }] }, { pages: [PAGE] }],
  [
    'a page that gets its name and icon in the navigation',
    {
      pages: [{ id: 'world', route: '/world', url: 'pages/world.html' }],
      nav_entries: [{ label: 'World map', icon: '🗺️', route: '/world' }],
    },
    { pages: [PAGE] },
  ],
  [
    'a page that is named in the navigation by its id, and has its own icon',
    {
      pages: [{ id: 'world', icon: 'globe', url: 'pages/world.html' }],
      nav_entries: [{ id: 'nav', page: 'world', label: 'World map', icon: '🗺️' }],
    },
    { pages: [{ ...PAGE, icon: 'globe' }] },
  ],
  ['a page in the navigation alone', { nav_entries: [{ ...PAGE }] }, { pages: [PAGE] }],
  [
    'a page in the navigation that stands among the pages too',
    { pages: [PAGE], nav_entries: [{ ...PAGE, url: 'other.html' }] },
    { pages: [PAGE] },
  ],
  ['a command', { capabilities: { frontend: { commands: [COMMAND] } } }, { commands: [COMMAND] }],
  [
    'a command as a surface',
    { surfaces: [{ type: 'command', id: 'redraw', label: 'Redraw', artifact: 'redraw.html' }] },
    { commands: [{ ...COMMAND, url: 'redraw.html' }] },
  ],
  [
    'settings as specified',
    { capabilities: { settings: { global: [KEY, STYLE], user: [SCALE] } } },
    { settings: { global: [KEY, STYLE], user: [SCALE] } },
  ],
  [
    'settings_schema with scopes',
    {
      settings_schema: {
        api_key: { type: 'password', label: 'Key', required: true, scope: 'instance' },
        scale: {
          type: 'int',
          label: 'Scale',
          description: 'Miles',
          default: 4,
          minimum: 1,
          maximum: 9,
          scope: 'user',
        },
        style: { choices: ['ink', { id: 2, title: 'Two' }], default: 'ink' },
      },
    },
    { settings: { global: [KEY, STYLE], user: [SCALE] } },
  ],
  [
    'settings as maps, as a flat list, and in two spellings',
    {
      capabilities: { settings: { user: { scale: { ...SCALE, key: undefined } } } },
      settings: [{ ...KEY, scope: 'global' }],
      settings_schema: { api_key: KEY },
    },
    { settings: { global: [KEY], user: [SCALE] } },
  ],
  [
    'one key in both scopes',
    { settings: { global: [KEY], user: [KEY] } },
    { settings: { global: [KEY], user: [KEY] } },
  ],
  [
    'a guest',
    { capabilities: { backend: { entry: 'backend/guest.wasm' } } },
    { backend: { entry: 'backend/guest.wasm' } },
  ],
  ['a guest beside capabilities', { backend: { entry: 'guest.wasm' } }, { backend: { entry: 'guest.wasm' } }],
  [
    'permissions in all spellings',
    {
      permissions: [
        'read_entities',
        'entity:read',
        'ENTITIES.READ',
        'http:API.example.com',
        'kv',
        'ai:generate',
      ],
    },
    { permissions: ['ai:generate', 'entities:read', 'http:api.example.com', 'kv'] },
  ],
  [
    'permissions of the capabilities',
    { capabilities: { permissions: 'asset_write' } },
    { permissions: ['assets:write'] },
  ],
];

for (const [name, more, expected] of CASES) {
  test(`read without a problem: ${name}`, () => {
    const text = JSON.stringify({ ...REQUIRED, ...more }, null, 2);
    const { manifest, problems } = readManifest(text, { asUpload: true });
    assert.deepEqual(problems, []);
    assert.deepEqual(manifest, { ...EMPTY, ...expected });
  });
}

test('a default of each type of setting', () => {
  const defaults: readonly [string, unknown][] = [
    ['string', 'a'],
    ['text', 'a\nb'],
    ['boolean', false],
    ['number', 0.5],
    ['color', '#2f6f4f'],
    ['object', { a: [1, { b: null }] }],
    ['entity', 'ada'],
    ['entity-list', ['ada', 'bo']],
  ];
  for (const [type, value] of defaults) {
    const settings = { user: [{ key: 'a', type, default: value }] };
    const { manifest, problems } = readManifest(JSON.stringify({ ...REQUIRED, settings }));
    assert.deepEqual(problems, [], type);
    assert.deepEqual(manifest?.settings.user[0]?.default, value, type);
  }
});

test('types in other words', () => {
  const settings: readonly [string, SettingType][] = [
    ['bool', 'boolean'],
    ['toggle', 'boolean'],
    ['int', 'integer'],
    ['float', 'number'],
    ['textarea', 'text'],
    ['colour', 'color'],
    ['password', 'secret'],
    ['json', 'object'],
    ['entities', 'entity-list'],
    ['ENTITY_LIST', 'entity-list'],
  ];
  const schema = Object.fromEntries(settings.map(([type], index) => [`s${index}`, { type }]));
  const widgets = ['text', 'Integer', 'float', 'bool', 'list', 'object'].map((type, index) => ({
    ...{ id: `w${index}`, valueType: type, artifact: 'a.html' },
  }));
  const { manifest, problems } = readManifest(
    JSON.stringify({
      ...REQUIRED,
      settings_schema: { ...schema, e: { enum: [1] }, f: { type: 'enum', options: [1] } },
      widgets,
    }),
  );
  assert.deepEqual(problems, []);
  assert.deepEqual(
    manifest?.settings.global.map(({ type }) => type),
    [...settings.map(([, type]) => type), 'select', 'select'],
  );
  assert.deepEqual(
    manifest?.widgets.map(({ value_type }) => value_type),
    ['string', 'number', 'number', 'boolean', 'array', 'object'],
  );
});

test('bounds may leave one number', () => {
  const text = JSON.stringify({
    ...REQUIRED,
    settings_schema: { a: { type: 'number', min: 2, max: 2, default: 2 } },
  });
  const { manifest, problems } = readManifest(text);
  assert.deepEqual(problems, []);
  const [{ min, max, default: given } = {}] = manifest?.settings.global ?? [];
  assert.deepEqual([min, max, given], [2, 2, 2]);
});

test('a byte order mark is no part of the text', () => {
  assert.deepEqual(readManifest(`\uFEFF${JSON.stringify(REQUIRED)}`), { manifest: EMPTY, problems: [] });
});

test('in an installed folder something stands in for what is missing', () => {
  const { manifest, problems } = readManifest('{"id": "atlas"}');
  const expected = { ...EMPTY, name: 'atlas', version: '0.0.0', description: '' };
  assert.deepEqual(manifest, expected);
  assert.deepEqual(
    problems.map(({ severity, message }) => [severity, /no (\w+)/.exec(message)?.[1]]),
    [
      ['warning', 'name'],
      ['warning', 'version'],
      ['warning', 'description'],
    ],
  );
});
