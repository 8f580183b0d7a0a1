import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MANIFEST_LIMITS, readManifest } from './index.ts';

const LARGE = `{"id": "a", "x": "${'é'.repeat(MANIFEST_LIMITS.bytes / 2)}"}`;

/** Texts of which no manifest is made, with the place and message of the one error. */
const ERRORS: readonly [string, string, string, RegExp][] = [
  ['nothing', '', '1:1', /the file is empty/],
  ['white space', ' \n\t\n', '3:1', /the file is empty/],
  ['a list', '[]', '1:1', /an object in braces, not a list/],
  ['a text', '"x"', '1:1', /not a text/],
  ['null', 'null', '1:1', /not null/],
  ['an end too early', '{"id": "a",\n "name": "b"', '2:13', /a closing } is missing/],
  ['a list without an end', '{"x": [1', '1:9', /a closing \] is missing/],
  ['a comma too many', '{"id": "a",\n}', '2:1', /after the last pair there is no comma/],
  ['a comma too many in a list', '{"x": [1,]}', '1:10', /after the last one there is no comma/],
  ['a comma too few', '{"id": "a"\n "name": "b"}', '2:2', /a comma is missing before this/],
  ['a colon too few', '{"id" "a"}', '1:7', /a colon is missing/],
  ['a comment', '// x\n{"id": "a"}', '1:1', /JSON has no comments/],
  ['a comment without an end', '{"id": "a"} /* x', '1:13', /JSON has no comments/],
  ['other quotes', "{'id': 'a'}", '1:2', /texts and keys stand in double quotes/],
  ['a word', '{\r\n"x": 1,\r"y": tru}', '3:6', /this is no JSON/],
  ['two manifests', '{"id": "a"}\n{}', '2:1', /ends before this/],
  ['a line break in a text', '{"id": "a\nb"}', '1:8', /does not end on its line/],
  ['a tab in a text', '{"id": "a\tb"}', '1:8', /has a control character/],
  ['a backslash', '{"id": "\\x"}', '1:8', /a backslash that means nothing/],
  ['half an escape', '{"id": "\\u12"}', '1:8', /four hexadecimal digits/],
  ['half a number', '{"x": 1.}', '1:7', /this number is not complete/],
  ['a hundred thousand lists', '['.repeat(100_000), '1:33', /nested deeper than 32 levels/],
  ['fifty thousand objects', '{"a":'.repeat(50_000), '1:161', /nested deeper than 32 levels/],
  [
    'lists after a text that is not closed',
    `"\n${'['.repeat(100_000)}`,
    '2:33',
    /nested deeper than 32 levels/,
  ],
  [
    'lists after a comment with a quote',
    `/*"*/${'['.repeat(100_000)}`,
    '1:38',
    /nested deeper than 32 levels/,
  ],
  [
    'lists after brackets that close nothing',
    `{"x" ${']'.repeat(9999)}, "y": ${'['.repeat(99_999)}`,
    '1:10043',
    /nested deeper/,
  ],
  [
    'objects with brackets that close nothing',
    '{"x" ], "a":'.repeat(20_000),
    '1:385',
    /nested deeper than 32/,
  ],
  ['too many bytes', LARGE, '1:1', /at most 256 kB/],
  ['too many characters', ' '.repeat(2_000_000), '1:1', /at most 256 kB/],
];

for (const [name, text, place, message] of ERRORS) {
  test(`no manifest: ${name}`, () => {
    const { manifest, problems } = readManifest(text);
    assert.equal(manifest, null);
    const [problem] = problems;
    assert.deepEqual([problems.length, problem?.severity, problem?.pointer], [1, 'error', '']);
    assert.equal(`${problem?.line}:${problem?.column}`, place);
    assert.match(problem?.message ?? '', message);
  });
}

test('32 levels are read, and brackets in texts are none', () => {
  const deep = `${'['.repeat(31)}"${'['.repeat(100)}"${']'.repeat(31)}`;
  assert.equal(readManifest(`{"id": "a", "x": ${deep}}`).manifest?.id, 'a');
});

test('just as many bytes as a manifest may have', () => {
  const most = `{"id": "a", "x": "${'é'.repeat(MANIFEST_LIMITS.bytes / 2 - 10)}"}`;
  assert.equal(new TextEncoder().encode(most).length, MANIFEST_LIMITS.bytes);
  assert.equal(readManifest(most).manifest?.id, 'a');
});

const BAD_IDS: readonly [string, RegExp][] = [
  ['4', /the id is a text such as "my-plugin", not a number/],
  ['"My Plugin"', /write "my-plugin"/],
  ['"my_plugin"', /write "my-plugin"/],
  ['"1a"', /begins with a letter$/],
  ['"-a"', /write "a"/],
  [`"${'a'.repeat(65)}"`, /up to 64/],
  [`"${'a'.repeat(200_000)}"`, /^.{0,200}$/],
  ['"\\ud800"', /the id "\\ud800" is none/],
  ['""', /the id "" is none/],
  ['"../a"', /write "a"/],
  ['"upload"', /"upload" is taken: \/api\/plugins\/upload is a route/],
  ['"panel"', /is taken/],
  ['"policy"', /is taken/],
  ['"catalog"', /is taken/],
  ['"findings"', /is taken/],
  ['"constructor"', /is reserved/],
];

test('an id that is none', () => {
  for (const [id, message] of BAD_IDS) {
    const text = `{"name": "A", "version": "1.0.0", "description": "D",\n"id": ${id}}`;
    const { manifest, problems } = readManifest(text);
    assert.equal(manifest, null, id);
    assert.deepEqual(
      problems.map(({ severity, pointer, line, column }) => [severity, pointer, line, column]),
      [['error', '/id', 2, 7]],
    );
    assert.match(problems[0]?.message ?? '', message);
  }
  assert.match(readManifest('{"name": "A"}').problems[0]?.message ?? '', /the manifest has no id/);
});

const toldOf = (text: string, asUpload: boolean) =>
  readManifest(text, { asUpload }).problems.map(({ severity, pointer }) => `${severity} ${pointer}`);

test('an upload must have all that is required', () => {
  const { manifest, problems } = readManifest('{"id": "a"}', { asUpload: true });
  assert.equal(manifest, null);
  assert.deepEqual(
    problems.map(({ severity, message }) => `${severity}: ${message}`),
    ['name', 'version', 'description', 'trust_tier'].map(
      (name) => `error: a plugin that is uploaded must have a ${name}, as a text`,
    ),
  );
});

test('what is required must be of use in an upload, and is replaced in an installed folder', () => {
  const text = '{"id": "a", "name": 4, "version": "1.0", "description": " ", "trust_tier": "very trusted!"}';
  assert.deepEqual(toldOf(text, true), [
    'error /name',
    'warning /name',
    'error /version',
    'error /description',
    'error /trust_tier',
  ]);
  assert.deepEqual(toldOf(text, false), [
    'warning /name',
    'warning /version',
    'warning /description',
    'warning /trust_tier',
  ]);
  const { manifest } = readManifest(text);
  const { name, version, description, trust_tier } = manifest ?? {};
  assert.deepEqual([name, version, description, trust_tier], ['a', '1.0', '', 'community']);
});

test('a trust tier is one word in any case', () => {
  const text = '{"id": "a", "name": "A", "version": "1.0.0", "description": "D", "trust_tier": "Official"}';
  assert.equal(readManifest(text, { asUpload: true }).manifest?.trust_tier, 'official');
});

test('versions are semantic', () => {
  const isVersion = (version: string) =>
    readManifest(JSON.stringify({ id: 'a', name: 'A', version, description: 'D' })).problems.length === 0;
  const good = ['0.0.0', '1.2.3', '10.20.30', '1.0.0-rc.1', '1.0.0-0a.b-c', '1.0.0+build.01', '1.0.0-a+b'];
  const bad = ['1', '1.0', 'v1.0.0', '01.0.0', '1.0.0-', '1.0.0-01', '1.0.0+', '1.0.0-a..b', '1.0.0\n2'];
  assert.deepEqual(
    good.filter((version) => !isVersion(version)),
    [],
  );
  assert.deepEqual(bad.filter(isVersion), []);
});
