import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { awkwardString, jsonValue } from '../../../test/support/nasty-documents.ts';
import fc from '../../../test/support/properties.ts';
import { isMap } from '../../text/json.ts';
import {
  isPluginId,
  isSafePath,
  type ManifestProblem,
  normalPermission,
  type PluginManifest,
  readManifest,
} from './index.ts';

const RUNS = { numRuns: 1000 };

const KEYS = `
  id name version description trust_tier icon homepage author title label type capabilities frontend
  backend settings surfaces panels field_widgets widgets pages commands nav_entries settings_schema
  permissions global user key default options url artifact location placement entity_types
  entityTypes route entry routes scope min max required value value_type accepts_options __proto__
  constructor toString
`
  .trim()
  .split(/\s+/);
const WORDS = `
  atlas a b Atlas 1.0.0 community panel widget page command entity-tab tab a.html ../a.html http://a/
  guest.wasm main.py select integer secret user entities:read write_assets http:a.example http:*
  __proto__
`
  .trim()
  .split(/\s+/);
const ODD_WORDS = ['C:\\a', '🗺️', '\ud83d', '\0', ''];

const key = fc.oneof(
  { weight: 9, arbitrary: fc.constantFrom(...KEYS) },
  { weight: 1, arbitrary: awkwardString },
);

/** Anything that a writer, or an attacker, may put in the place of anything. */
const { value } = fc.letrec<{ value: unknown; pairs: unknown }>((tie) => ({
  value: fc.oneof(
    { depthSize: 'medium', maxDepth: 5, withCrossShrink: true },
    fc.constantFrom(...WORDS, ...ODD_WORDS),
    fc.oneof(awkwardString, jsonValue, fc.double(), fc.boolean(), fc.constant(null)),
    fc.array(tie('value'), { maxLength: 5 }),
    tie('pairs'),
  ),
  pairs: fc.array(fc.tuple(key, tie('value')), { maxLength: 6 }).map((pairs) => Object.fromEntries(pairs)),
}));

const oddText = fc
  .tuple(fc.array(fc.tuple(key, value), { maxLength: 12 }), fc.constantFrom(undefined, 0, 2, '\t'))
  .map(([pairs, indent]) => JSON.stringify({ id: 'atlas', ...Object.fromEntries(pairs) }, null, indent));

const id = fc.stringMatching(/^[a-z][a-z0-9]{0,8}$/);
const line = fc
  .tuple(fc.stringMatching(/^[A-Z][a-z]{0,8}$/), fc.constantFrom('', ' é', ' 🗺️'))
  .map((parts) => parts.join(''));
const path = fc.array(id, { minLength: 1, maxLength: 3 }).map((parts) => `${parts.join('/')}.html`);
const orNull = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary);
const uniqueBy = <T>(arbitrary: fc.Arbitrary<T>, keyOf: (item: T) => string) =>
  fc.uniqueArray(arbitrary, { maxLength: 4, selector: keyOf });

/** None that means all. */
const entityType = id.map((name) => `${name}_x`);
const icon = orNull(fc.constantFrom('map', '🗺️', 'icons/a.svg'));
const setting = fc.oneof(
  fc.record({ key: id, label: line, type: fc.constantFrom('string', 'text'), default: orNull(line) }),
  fc.record({
    key: id,
    label: line,
    type: fc.constant('integer'),
    default: fc.integer(),
    min: fc.constant(-(2 ** 31)),
  }),
  fc.record({
    key: id,
    label: line,
    type: fc.constant('object'),
    default: fc.dictionary(id, jsonValue),
  }),
);
const withRest = (given: object) => ({ description: null, required: false, ...given });

/** In the form in which a manifest is written. */
const valid = fc.record({
  id: id.filter(isPluginId),
  name: line,
  version: fc.constantFrom('0.1.0', '1.0.0-rc.1'),
  description: line,
  trust_tier: fc.constantFrom('community', 'official'),
  author: orNull(line),
  license: orNull(line),
  icon,
  homepage: orNull(fc.webUrl({ withFragments: true })),
  category: orNull(line),
  accent_color: orNull(fc.constant('#2f6f4f')),
  type: orNull(fc.constant('full')),
  backend: orNull(fc.constant({ entry: 'guest.wasm' })),
  panels: uniqueBy(
    fc.record({
      ...{ id, title: line, location: fc.constantFrom('entity-sidebar', 'entity-tab', 'entity-footer') },
      ...{ entity_types: fc.uniqueArray(entityType, { maxLength: 3 }), url: path, icon },
    }),
    (panel) => panel.id,
  ),
  widgets: uniqueBy(
    fc.record({
      ...{ id, label: line, category: orNull(line), accepts_options: fc.boolean() },
      ...{ value_type: orNull(fc.constantFrom('string', 'array')), url: path },
    }),
    (widget) => widget.id,
  ),
  pages: uniqueBy(fc.record({ id, title: line, icon, url: path }), (page) => page.id).map((pages) =>
    pages.map((page) => ({ ...page, route: `at/${page.id}` })),
  ),
  commands: uniqueBy(fc.record({ id, title: line, icon, url: orNull(path) }), (command) => command.id),
  settings: fc.record({
    global: uniqueBy(setting, ({ key: name }) => name).map((settings) => settings.map(withRest)),
    user: uniqueBy(setting, ({ key: name }) => name).map((settings) => settings.map(withRest)),
  }),
  permissions: fc.subarray(['ai:generate', 'entities:read', 'http:*.example.com:8443', 'kv']),
});

const PIECE = /"[^"]*"|true|false|null|\d+/g;

/** A good manifest with one hostile value, or one other key. */
const twistedText = fc.tuple(valid, value, fc.nat()).map(([given, instead, pick]) => {
  const text = JSON.stringify(given);
  const pieces = [...text.matchAll(PIECE)];
  const { 0: piece = '', index = 0 } = pieces[pick % pieces.length] ?? {};
  return text.slice(0, index) + JSON.stringify(instead) + text.slice(index + piece.length);
});

const manifestText = fc.oneof(oddText, twistedText.filter(isJson));

/** Something is missing, or in between. */
const brokenText = fc
  .tuple(
    fc.oneof(oddText, twistedText),
    fc.nat(),
    fc.nat(30),
    fc.constantFrom('', '{', '}', '[', '"', ',', '\\', '\r\n', '\r', '//', '\uFEFF'),
  )
  .map(([text, at, length, instead]) => {
    const from = at % (text.length + 1);
    return text.slice(0, from) + instead + text.slice(from + length);
  });

const anyText = fc.oneof(manifestText, brokenText, fc.string({ unit: 'binary', maxLength: 200 }));

function assertInside(text: string, { line, column, pointer }: ManifestProblem): void {
  const lines = text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/);
  const length = lines[line - 1]?.length ?? -1;
  assert.ok(column >= 1 && column <= length + 1, `${line}:${column} is outside`);
  if (pointer !== '') assert.notEqual(valueAt(JSON.parse(text), pointer), undefined, pointer);
}

function valueAt(root: unknown, pointer: string): unknown {
  let here = root;
  for (const step of pointer.slice(1).split('/')) {
    const name = step.replaceAll('~1', '/').replaceAll('~0', '~');
    if (Array.isArray(here)) here = here[Number(name)];
    else here = isMap(here) && Object.hasOwn(here, name) ? here[name] : undefined;
  }
  return here;
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text);
    return true;
  } catch {
    return false;
  }
}

describe('whatever a file says', () => {
  it('is read or refused, never thrown, and each problem is inside the text', () => {
    fc.assert(
      fc.property(anyText, fc.boolean(), (text, asUpload) => {
        const { manifest, problems } = readManifest(text, { asUpload });
        for (const problem of problems) assertInside(text, problem);
        assert.equal(
          manifest === null,
          problems.some(({ severity }) => severity === 'error'),
        );
      }),
      RUNS,
    );
  });

  it('is JSON for the reader if it is JSON for everybody', () => {
    fc.assert(
      fc.property(fc.oneof(brokenText, fc.json(), fc.string()), (text) => {
        const [problem] = readManifest(`{"id": "a", "x": ${text}}`).problems.filter(isError);
        assert.equal(problem === undefined || problem.pointer === '/id', isJson(`{"id": "a", "x": ${text}}`));
      }),
      RUNS,
    );
  });

  it('becomes plain data in which nothing leads out of the plugin', () => {
    fc.assert(
      fc.property(manifestText, (text) => {
        const { manifest } = readManifest(text);
        if (manifest === null) return;
        assert.deepEqual(manifest, JSON.parse(JSON.stringify(manifest)));
        assert.ok(isPluginId(manifest.id));
        for (const path of pathsOf(manifest)) assert.ok(isSafePath(path), path);
        for (const permission of manifest.permissions) assert.equal(normalPermission(permission), permission);
        for (const { default: given } of allSettings(manifest))
          assert.ok(!JSON.stringify(given).includes('"__proto__":'));
        assert.ok(JSON.stringify(manifest).isWellFormed() && !JSON.stringify(manifest).includes('\\ud83d'));
      }),
      RUNS,
    );
  });

  it('is read again from what was read', () => {
    fc.assert(
      fc.property(manifestText, (text) => {
        const { manifest } = readManifest(text);
        if (manifest === null) return;
        const again = readManifest(JSON.stringify(manifest));
        assert.deepEqual(again.manifest, { ...manifest, legacy_routes: [] });
      }),
      RUNS,
    );
  });
});

const isError = ({ severity }: ManifestProblem): boolean => severity === 'error';

const allSettings = ({ settings }: PluginManifest) => [...settings.global, ...settings.user];

function pathsOf({ panels, widgets, pages, commands, backend }: PluginManifest): string[] {
  const shown = [...panels, ...widgets, ...pages, ...commands].flatMap(({ url }) => url ?? []);
  return backend === null ? shown : [...shown, backend.entry];
}

it('a manifest in the form in which it is written is read as it is', () => {
  fc.assert(
    fc.property(valid, (given) => {
      const { manifest, problems } = readManifest(JSON.stringify(given), { asUpload: true });
      assert.deepEqual(problems, []);
      assert.deepEqual(manifest, JSON.parse(JSON.stringify({ ...given, legacy_routes: [] })));
    }),
    { numRuns: 300 },
  );
});
