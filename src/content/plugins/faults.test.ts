import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ManifestProblem, type PluginManifest, readManifest } from './index.ts';

const HEAD =
  '{"id": "atlas", "name": "Atlas", "version": "1.0.0", "description": "D", "trust_tier": "community",\n';

/** The place, and a part of the message. */
type Told = readonly [pointer: string, place: string, message: RegExp];

const placesOf = (problems: readonly ManifestProblem[]) =>
  problems.map(({ pointer, line, column }) => [pointer, `${line}:${column}`]);

function assertTold(problems: readonly ManifestProblem[], told: readonly Told[]): void {
  assert.deepEqual(
    placesOf(problems),
    told.map(([pointer, place]) => [pointer, place]),
  );
  for (const [index, [, , message]] of told.entries()) assert.match(problems[index]?.message ?? '', message);
}

/** The lists that are not empty. */
function partsOf(manifest: PluginManifest | null): unknown {
  const { panels, widgets, pages, commands, settings, permissions, legacy_routes } = manifest ?? EMPTY;
  return {
    ...(panels.length > 0 && { panels: panels.map(({ id }) => id) }),
    ...(widgets.length > 0 && { widgets: widgets.map(({ id }) => id) }),
    ...(pages.length > 0 && { pages: pages.map(({ id, route }) => `${id} at ${route}`) }),
    ...(commands.length > 0 && { commands: commands.map(({ id }) => id) }),
    ...(settings.global.length > 0 && {
      settings: settings.global.map(({ key, type }) => `${key}: ${type}`),
    }),
    ...(permissions.length > 0 && { permissions }),
    ...(legacy_routes.length > 0 && { legacy_routes }),
  };
}

const EMPTY = {
  ...{ panels: [], widgets: [], pages: [], commands: [], permissions: [], legacy_routes: [] },
  settings: { global: [], user: [] },
} satisfies Partial<PluginManifest>;

/** The second line of a manifest that is used all the same, what is left of it, and the warnings. */
const WARNINGS: readonly [string, string, unknown, readonly Told[]][] = [
  [
    'a key twice',
    '"icon": "a.png", "icon": "b.png"',
    {},
    [['/icon', '2:18', /"icon" appears twice; the last one counts/]],
  ],
  [
    'a key twice where nothing is read',
    '"x": [{"y": 1, "y": 2}]',
    {},
    [['/x/0/y', '2:16', /"y" appears twice/]],
  ],
  [
    'a setting that would tell of a secret, and one with a name that every object has',
    '"settings_schema": {"a": {"type": "secret"}, "has_a": {"type": "boolean"}, "toString": {"type": "secret"}}',
    { settings: ['a: secret'] },
    [
      ['/settings_schema/has_a', '2:55', /another setting "has_a" stands before/],
      ['/settings_schema/toString', '2:76', /"toString", which cannot be used/],
    ],
  ],
  [
    'a setting twice in a map',
    '"settings_schema": {"a": {"type": "string"}, "a": {"type": "text"}}',
    { settings: ['a: text'] },
    [['/settings_schema/a', '2:46', /appears twice/]],
  ],
  [
    'a panel where none is shown',
    '"panels": [{"id": "a", "location": "top", "url": "a.html"}]',
    {},
    [
      [
        '/panels/0/location',
        '2:36',
        /"top", which is none, and is left out; known are entity-sidebar, entity-tab/,
      ],
    ],
  ],
  [
    'a panel without a location',
    '"panels": [{"id": "a", "url": "a.html"}]',
    {},
    [['/panels/0', '2:12', /the panel "a" has no location/]],
  ],
  [
    'a panel of another site',
    '"panels": [{"id": "a", "location": "entity-tab", "url": "https://example.com/a.html"}]',
    {},
    [
      [
        '/panels/0/url',
        '2:57',
        /the panel "a" is left out: .* it is an address; what a plugin shows comes with the/,
      ],
    ],
  ],
  [
    'a panel outside of the plugin',
    '"panels": [{"id": "a", "location": "entity-tab", "url": "../a.html"}]',
    {},
    [['/panels/0/url', '2:57', /written without the part "\.\."/]],
  ],
  [
    'a panel without a url',
    '"panels": [{"id": "a", "location": "entity-tab"}]',
    {},
    [['/panels/0', '2:12', /the panel "a" has no url/]],
  ],
  [
    'a panel whose entity types cannot be read is not shown everywhere',
    '"panels": [{"id": "a", "location": "entity-tab", "url": "a.html", "entity_types": [3]}]',
    {},
    [
      ['/panels/0/entity_types', '2:83', /names no entity type that can be read/],
      ['/panels/0/entity_types/0', '2:84', /must be a text in double quotes, not a number/],
    ],
  ],
  [
    'two panels of one id',
    '"panels": [{"id": "a", "location": "tab", "url": "a.html"}, {"id": "a", "location": "tab", "url": "a.html"}]',
    { panels: ['a'] },
    [['/panels/1', '2:61', /another panel "a" stands before this one/]],
  ],
  [
    'two panels of one id in two lists that do not agree',
    '"panels": [{"id": "a", "location": "tab", "url": "a.html"}],\n' +
      '"surfaces": [{"type": "panel", "id": "a", "location": "tab", "url": "b.html"}]',
    { panels: ['a'] },
    [['/surfaces/0', '3:14', /another panel "a"/]],
  ],
  [
    'ids that are none',
    '"panels": [{"id": "A b", "location": "tab", "url": "a.html"}, {"id": "constructor"}, 7, {}, {"id": 4}]',
    {},
    [
      ['/panels/0/id', '2:19', /"A b", which cannot be used, and is left out: an id has up to 64 lower-case/],
      ['/panels/1/id', '2:70', /"constructor", which cannot be used/],
      ['/panels/2', '2:86', /a panel is an object with an id, not a number/],
      ['/panels/3', '2:89', /this panel has no id/],
      ['/panels/4/id', '2:100', /the id 4, which cannot be used/],
    ],
  ],
  [
    'values of another kind',
    '"panels": {"a": {}}, "capabilities": ["frontend"], "frontend": "x", "backend": 1, "settings": "x", "permissions": 7',
    {},
    [
      ['/panels', '2:11', /must be a list, not an object/],
      ['/capabilities', '2:38', /capabilities is an object in braces, not a list/],
      ['/frontend', '2:64', /frontend is an object in braces, not a text/],
      ['/backend', '2:80', /backend is an object in braces, not a number/],
      ['/settings', '2:95', /settings are a list or an object, not a text/],
      ['/permissions', '2:115', /must be a text in double quotes, not a number/],
    ],
  ],
  [
    'values of a widget that are left out',
    '"widgets": [{"id": "a", "url": "a.html", "value_type": "date", "accepts_options": "maybe", "label": 3}]',
    { widgets: ['a'] },
    [
      ['/widgets/0/value_type', '2:56', /"date" is no type of values/],
      ['/widgets/0/accepts_options', '2:83', /must be true or false, not a text/],
      ['/widgets/0/label', '2:101', /must be a text/],
    ],
  ],
  [
    'a widget without a url',
    '"widgets": [{"id": "a"}]',
    {},
    [['/widgets/0', '2:13', /the widget "a" has no url/]],
  ],
  [
    'a page without a url',
    '"pages": [{"id": "a"}]',
    { pages: ['a at a'] },
    [['/pages/0', '2:11', /nothing to show/]],
  ],
  [
    'a route that leads out',
    '"pages": [{"id": "a", "url": "a.html", "route": "../../admin"}]',
    { pages: ['a at a'] },
    [['/pages/0/route', '2:49', /the route "..\/..\/admin" cannot be used, and the id stands in/]],
  ],
  [
    'two pages of one route',
    '"pages": [{"id": "a", "route": "x", "url": "a.html"}, {"id": "b", "route": "/x", "url": "a.html"}]',
    { pages: ['a at x'] },
    [['/pages/1', '2:55', /another page "\/x" stands before this one/]],
  ],
  [
    'a navigation that leads nowhere',
    '"nav_entries": [{"id": "x", "label": "X"}, "y"]',
    {},
    [
      ['/nav_entries/0', '2:17', /leads to no page/],
      ['/nav_entries/1', '2:44', /an object, not a text/],
    ],
  ],
  [
    'surfaces that are none',
    '"surfaces": [{"type": "hologram", "id": "a"}, {"id": "b"}, {"type": "settings", "artifact": "s.html"}]',
    {},
    [
      ['/surfaces/0/type', '2:23', /of the type "hologram" is left out; known are panel, widget, page/],
      ['/surfaces/1', '2:47', /a surface without a type/],
      ['/surfaces/2', '2:60', /list these in settings_schema/],
    ],
  ],
  [
    'a command with markup and a script',
    '"commands": [{"id": "a", "icon": "<img src=x>", "url": "javascript:alert(1)"}]',
    { commands: ['a'] },
    [
      ['/commands/0/icon', '2:34', /the icon "<img src=x>" is none/],
      ['/commands/0/url', '2:56', /the url of the command "a" is left out: .* it is an address/],
    ],
  ],
  [
    'keys of prototypes',
    '"settings_schema": {"__proto__": {"type": "string"}, "constructor": {}, "a": {"type": "object", "default": {"__proto__": 1}}},\n' +
      '"__proto__": {"icon": "evil"}, "constructor": {"prototype": {}}',
    { settings: ['a: object'] },
    [
      ['/settings_schema/__proto__', '2:21', /"__proto__", which cannot be used/],
      ['/settings_schema/constructor', '2:54', /"constructor", which cannot be used/],
      ['/settings_schema/a/default', '2:108', /the key "__proto__" is reserved/],
    ],
  ],
  [
    'settings without a use',
    '"settings_schema": {"a": {"type": "quantum"}, "b": {"type": "select"}, "c": {"options": [1, 1, {}, null]}, "d": 4, "e": {"scope": "galaxy"}}',
    { settings: ['c: select', 'e: string'] },
    [
      [
        '/settings_schema/a/type',
        '2:35',
        /the type "quantum", which is none, and is left out; known are string/,
      ],
      ['/settings_schema/b', '2:52', /the select "b" has nothing to choose from/],
      ['/settings_schema/c/options/1', '2:93', /the option 1 stands before/],
      ['/settings_schema/c/options/2', '2:96', /an option is a text, a number, or an object with a value/],
      ['/settings_schema/c/options/3', '2:100', /must be a text in double quotes, not null/],
      ['/settings_schema/d', '2:113', /a setting is an object with a key and a type, not a number/],
      ['/settings_schema/e/scope', '2:131', /there is no scope "galaxy"/],
    ],
  ],
  [
    'keys of settings that are none',
    '"settings": {"global": [{"type": "string"}, {"key": "a b"}, {"key": "a"}, {"key": "a"}], "user": 3}',
    { settings: ['a: string'] },
    [
      ['/settings/global/0', '2:25', /this setting has no key/],
      ['/settings/global/1/key', '2:53', /the key "a b", which cannot be used/],
      ['/settings/global/3', '2:75', /another setting "a"/],
      ['/settings/user', '2:98', /a list or an object, not a number/],
    ],
  ],
  [
    'bounds',
    '"settings_schema": {"a": {"type": "integer", "min": 9, "max": 1}, "b": {"type": "number", "min": "x", "max": 1e999}}',
    { settings: ['a: integer', 'b: number'] },
    [
      ['/settings_schema/a', '2:26', /no number is at least 9 and at most 1/],
      ['/settings_schema/b/min', '2:98', /this bound is no number/],
      ['/settings_schema/b/max', '2:110', /this bound is no number/],
    ],
  ],
  [
    'permissions that nobody can grant',
    '"permissions": ["entities:reed", "root", 4, "http:", "http:exa mple.com", "http:https://example.com"]',
    {},
    [
      [
        '/permissions/0',
        '2:17',
        /no permission "entities:reed" \(did you mean 'entities:read'\?\), and it is left out/,
      ],
      [
        '/permissions/1',
        '2:34',
        /no permission "root", and it is left out; known are entities:read.* http:<host>/,
      ],
      ['/permissions/2', '2:42', /must be a text/],
      ['/permissions/3', '2:45', /names no host/],
      ['/permissions/4', '2:54', /names no host, and is left out: give the name of one host/],
      ['/permissions/5', '2:75', /names no host/],
    ],
  ],
  [
    'a homepage that runs, a colour with more, an icon outside, and authors',
    '"homepage": "javascript:alert(1)", "accent_color": "red; background: url(x)", "icon": "../passwd", "author": ["Ada"]',
    {},
    [
      [
        '/homepage',
        '2:13',
        /the homepage "javascript:alert\(1\)" is left out: it must be an address with http/,
      ],
      ['/accent_color', '2:52', /is left out: write it in hexadecimal digits/],
      ['/icon', '2:87', /the icon is left out: .* without the part "\.\."/],
      ['/author', '2:110', /must be a text in double quotes, not a list/],
    ],
  ],
  [
    'text that no database keeps, and text that hides',
    '"author": "\\ud83d", "license": "a\\u0000b", "category": "a\\u202eb", "type": "\\u001b[31m"',
    {},
    [
      ['/author', '2:11', /half of a surrogate pair is no text/],
      ['/license', '2:32', /a NUL character is no text/],
      ['/category', '2:56', /has control characters/],
      ['/type', '2:76', /has control characters/],
    ],
  ],
  [
    'a text that is too long for its place',
    `"author": "${'a'.repeat(201)}"`,
    {},
    [['/author', '2:11', /more than 200 characters/]],
  ],
  [
    'a backend in another language',
    '"capabilities": {"backend": {"entry": "main.py", "routes": ["a.py", "b.py", "a.py", "c:app", 7]}}',
    { legacy_routes: ['main.py', 'a.py', 'b.py', 'c:app'] },
    [
      ['/capabilities/backend', '2:29', /"main.py", "a.py", "b.py" and others will not run: .*WebAssembly/],
      ['/capabilities/backend/routes/4', '2:94', /must be a text/],
    ],
  ],
  [
    'routes of another language beside a guest',
    '"capabilities": {"backend": {"entry": "g.wasm", "routes": "a.py"}}',
    { legacy_routes: ['a.py'] },
    [['/capabilities/backend/routes', '2:59', /"a.py" will not run/]],
  ],
  [
    'a guest on another drive',
    '"capabilities": {"backend": {"entry": "C:\\\\g.wasm"}}',
    {},
    [['/capabilities/backend/entry', '2:39', /the entry is left out: .* not by a backslash/]],
  ],
];

test('a value of another kind is told once', () => {
  const line =
    '"homepage": 4, "accent_color": 4, "icon": 4, "widgets": [{"id": "w", "url": "w.html", "value_type": 4}]';
  const { problems } = readManifest(`${HEAD}${line}}`);
  assert.deepEqual(
    problems.map(({ pointer }) => pointer),
    ['/homepage', '/accent_color', '/icon', '/widgets/0/value_type'],
  );
  assert.ok(
    problems.every(({ message }) => message.startsWith('this must be a text in double quotes, not a number')),
  );
});

for (const [name, line, expected, told] of WARNINGS) {
  test(`read with warnings: ${name}`, () => {
    const { manifest, problems } = readManifest(`${HEAD}${line}}`, { asUpload: true });
    assert.equal(manifest?.id, 'atlas');
    assert.ok(problems.every(({ severity }) => severity === 'warning'));
    assertTold(problems, told);
    assert.deepEqual(partsOf(manifest), expected);
  });
}

test('a default that does not fit is null', () => {
  const defaults: readonly [string, string, RegExp][] = [
    ['"type": "string"', '1', /it is no text/],
    ['"type": "integer"', '1.5', /it is no whole number/],
    ['"type": "integer", "max": 3', '4', /it is more than 3/],
    ['"type": "number", "min": 3', '2', /it is less than 3/],
    ['"type": "number"', '"1"', /it is no number/],
    ['"type": "number"', '1e999', /its number is too large/],
    ['"type": "boolean"', '"true"', /it is not true or false/],
    ['"type": "color"', '"red"', /it is no color/],
    ['"type": "select", "options": [1]', '"1"', /it is none of the options/],
    ['"type": "secret"', '"hunter2"', /a secret in the file of a plugin is none/],
    ['"type": "object"', '[]', /it is no object/],
    ['"type": "entity-list"', '["a", 1]', /it is no list of texts/],
    ['"type": "entity-list"', '"a"', /it is no list of texts/],
    ['"type": "string"', '"\\ud800"', /half of a surrogate pair/],
    ['"type": "object"', '{"\\u0000": 1}', /NUL/],
    ['"type": "object"', '{"a": [{"prototype": 1}]}', /the key "prototype" is reserved/],
  ];
  for (const [type, value, message] of defaults) {
    const text = `${HEAD}"settings_schema": {"a": {${type}, "default":\n${value}}}}`;
    const { manifest, problems } = readManifest(text);
    assertTold(problems, [['/settings_schema/a/default', '3:1', message]]);
    assert.equal(manifest?.settings.global[0]?.default, null, value);
  }
});

test('names of what every object has are no words of ours', () => {
  const line = `"trust_tier": "__proto__", "settings_schema": {"a": {"type": "constructor"}, "b": {"scope": "toString"}, "c": {"scope": 4}},
"widgets": [{"id": "w", "url": "w.html", "value_type": "constructor"}], "surfaces": [{"type": "valueOf"}],
"permissions": ["constructor:read", "valueOf"]`;
  const { manifest, problems } = readManifest(`${HEAD}${line}}`);
  const pointers = problems.map(({ pointer }) => pointer).filter((pointer) => pointer !== '/trust_tier');
  assert.deepEqual(pointers, [
    ...['/settings_schema/a/type', '/settings_schema/b/scope', '/settings_schema/c/scope'],
    ...['/widgets/0/value_type', '/surfaces/0/type', '/permissions/0', '/permissions/1'],
  ]);
  assert.equal(manifest?.trust_tier, 'community');
  assert.deepEqual(partsOf(manifest), { settings: ['b: string', 'c: string'], widgets: ['w'] });
});

test('a pointer escapes keys, and ends before one that no reply should carry', () => {
  const pointerOf = (key: string) =>
    readManifest(`${HEAD}"x": {"~a/b": {"${key}": {"y": 1, "y": 2}}}}`).problems[0]?.pointer;
  assert.equal(pointerOf('k'), '/x/~0a~1b/k/y');
  assert.equal(pointerOf(''), '/x/~0a~1b//y');
  assert.equal(pointerOf('a'.repeat(200)), `/x/~0a~1b/${'a'.repeat(200)}/y`);
  for (const key of ['a'.repeat(201), '\\ud800', '\\u0007']) assert.equal(pointerOf(key), '/x/~0a~1b', key);
});

test('why a path cannot be used', () => {
  const reasons: readonly [string, RegExp][] = [
    ['/a.html', /relative to the plugin's folder: leave out the first \//],
    ['//host/a.html', /it is an address/],
    ['a.html?b', /the character "\?" may not stand in a path/],
    ['a%2fb', /the character "%"/],
    ['a//b', /it has an empty part/],
    ['a/.build/b.html', /hidden files, and those in node_modules, are not installed/],
    ['node_modules/b.html', /hidden files/],
    ['./a', /without the part "\."/],
    ['a /b', /begin with a space, or end with a space or a dot/],
    ['a'.repeat(256), /one of its parts has more than 255 characters/],
    ['a/'.repeat(251), /it has more than 500 characters/],
    ['\ud800', /half of a surrogate pair/],
    ['', /it is empty/],
  ];
  for (const [url, message] of reasons) {
    const { problems } = readManifest(JSON.stringify({ id: 'a', commands: [{ id: 'c', url }] }));
    assert.match(problems.at(-1)?.message ?? '', message);
  }
  const number = readManifest('{"id": "a", "commands": [{"id": "c", "url": 7}]}').problems.at(-1)?.message;
  assert.equal(number, 'the url of the command "c" is left out: a path is a text, not a number');
});
