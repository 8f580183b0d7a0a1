import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOCUMENT_LIMITS, readDocument } from '../frontmatter/index.ts';
import { parseRules, rulesOfType } from '../rules/index.ts';
import { DEFAULT_RULE_SETTINGS } from '../rules/settings.ts';
import { parseTemplate, type TemplateDefinition } from '../template/index.ts';
import { fixEntity } from './fix-entity.ts';
import { readDate } from './iso-date.ts';
import type { FixOptions, Path } from './types.ts';
import { nameKey } from './words.ts';

const TEMPLATE = `---
entity_type: ship
armed: false
speed: 3
call_sign: ""
crew: []
home: ""
launch_date: ""
hull: { material: oak, weight: 10 }
voyages: [{ port: "", cargo: "" }]
field_config:
  crew: { reference_type: character }
  home: { reference_type: port }
  voyages.port: { reference_type: port }
fields:
  - { name: rig, type: select, options: [sloop, { value: brig, label: Two masts }], default: sloop, required: true }
  - { name: motto, type: string, required: true }
  - { name: decks, type: integer }
---
`;
const RULES = `---
rules:
  - { id: hull, priority: high, validation_type: required_field, applies_to: hull.material }
  - { id: fast, priority: low, validation_type: required_field, applies_to: speed }
---
`;

function shipTemplate(): TemplateDefinition {
  const parsed = parseTemplate({ path: '_Templates/Custom/SHIP_TEMPLATE.md', text: TEMPLATE });
  const rules = parseRules({ path: '_Rules/SHIP_RULES.md', text: RULES });
  assert.ok(parsed.ok && rules.ok);
  const { template } = parsed;
  const applied = rulesOfType(
    template,
    [rules.document],
    DEFAULT_RULE_SETTINGS,
    new Map([['ship', template]]),
  );
  return { ...template, rules: applied };
}
const SHIP = shipTemplate();

const ENTITIES: Readonly<Record<string, readonly { id: string; name: string }[]>> = {
  character: [
    { id: 'mira_vale', name: 'Mira Vale' },
    { id: 'ada', name: 'Ada Grey' },
    { id: 'ada_2', name: 'Ada Grey' },
  ],
  port: [{ id: 'old_harbour', name: 'Harbour' }],
};
const OPTIONS: FixOptions = {
  kinds: null,
  removeDangling: false,
  hasRealCalendar: true,
  isPreview: false,
  known: {
    hasType: (type) => Object.hasOwn(ENTITIES, type),
    exists: (type, id) => ENTITIES[type]?.some((entity) => entity.id === id) === true,
    meant: (type, word) =>
      (ENTITIES[type] ?? [])
        .filter(({ id, name }) => [id, name].some((text) => nameKey(text) === nameKey(word)))
        .map(({ id }) => id),
  },
};

const WHOLE = 'rig: brig\nmotto: Onward\nspeed: 4\n';
const fix = (frontmatter: string, options: Partial<FixOptions> = {}, folderId = 'sea_hawk') => {
  const text = `---\n${WHOLE}${frontmatter}---\n\nBody\n`;
  const fixed = fixEntity(SHIP, { text, folderId }, { ...OPTIONS, ...options });
  return { ...fixed, frontmatter: fixed.text.slice(4 + WHOLE.length, fixed.text.indexOf('---\n\nBody')) };
};
const readAt = (text: string, path: Path) => {
  const read = readDocument(text);
  assert.ok(read.ok);
  return path.reduce<unknown>((at, step) => (at as Record<string | number, unknown>)[step], read.data);
};

test('values say the same in the form that the field has, on their lines alone', () => {
  const cases: [string, string][] = [
    ['speed2: x\ndecks: "42" # told\n', 'speed2: x\ndecks: 42 # told\n'],
    ['armed: yes\n', 'armed: true\n'],
    ["armed:   'No'   # never\n", 'armed:   false   # never\n'],
    ['call_sign: 1.80\n', 'call_sign: "1.80"\n'],
    ['call_sign: 0x1F\n', 'call_sign: "0x1F"\n'],
    ['call_sign: True\n', 'call_sign: "True"\n'],
    ['crew: ada\n', 'crew:\n  - ada\n'],
    ['hull: { weight: "7", material: ash }\n', 'hull: { weight: 7, material: ash }\n'],
    ['launch_date: 12th of March 0412\n', 'launch_date: 0412-03-12\n'],
    ['created_date: 2024/1/5\n', 'created_date: 2024-01-05\n'],
    ['id: Sea Hawk\n', 'id: sea_hawk\n'],
    ['entity_type: Ship\n', 'entity_type: ship\n'],
    ['status: Active\n', 'status: active\n'],
    ['status: WIP\n', 'status: draft\n'],
    ['home: Old Harbour\n', 'home: old_harbour\n'],
    ['home: "[[Harbour|home]]"\n', 'home: "[[old_harbour|home]]"\n'],
    ['crew: [ada, Mira-Vale]\n', 'crew: [ada, mira_vale]\n'],
    ['crew: Mira Vale\n', 'crew:\n  - mira_vale\n'],
    ['voyages:\n  - port: HARBOUR # first\n', 'voyages:\n  - port: old_harbour # first\n'],
    ['hull: { weight: 7, material: "" }\n', 'hull: { weight: 7, material: "oak" }\n'],
  ];
  for (const [before, after] of cases) {
    const fixed = fix(before);
    assert.equal(fixed.frontmatter, after);
    assert.deepEqual(fixed.unfixable, [], before);
    assert.ok(fixed.fixes.length > 0);
  }
});

test('what is not certain stays and is named', () => {
  const cases: [string, string, RegExp][] = [
    ['speed: fast\n'.replace('speed', 'decks'), 'decks', /not certain which number/],
    ['decks: 007\n'.replace('007', '"007"'), 'decks', /not certain/],
    ['decks: 2.5\n', 'decks', /not certain/],
    ['decks: "12345678901234567890"\n', 'decks', /not certain/],
    ['armed: maybe\n', 'armed', /true and false/],
    ['call_sign: [a]\n', 'call_sign', /single value/],
    ['crew: mira, ada\n', 'crew', /one entry or several/],
    ['crew: [ada, null]\n', 'crew.1', /empty/],
    ['hull: oak\n', 'hull', /mapping/],
    ['launch_date: 3/4/2020\n', 'launch_date', /day and which the month/],
    ['launch_date: 31 February 2020\n', 'launch_date', /no such day/],
    ['status: lost\n', 'status', /active, archived, draft/],
    ['entity_type: character\n', 'entity_type', /wrong folder/],
    ['home: nowhere\n', 'home', /no such port/],
    ['crew: [Ada Grey]\n', 'crew.0', /any of ada, ada_2/],
    ['name: { a: 1 }\n', 'name', /must be text/],
  ];
  for (const [frontmatter, field, reason] of cases) {
    const fixed = fix(frontmatter);
    assert.equal(fixed.frontmatter, frontmatter);
    assert.deepEqual(
      fixed.unfixable.map((one) => [one.field, one.line]),
      [[field, 5]],
      frontmatter,
    );
    assert.match(fixed.unfixable[0]?.reason ?? '', reason);
  }
  assert.deepEqual(
    fix('', {}, 'Sea Hawk').unfixable.map(({ field, kind }) => [field, kind]),
    [[null, 'id']],
  );
});

test('what a story or a link within words says is nobody’s fault', () => {
  for (const frontmatter of [
    'launch_date: the day the harbour burned\n',
    'launch_date: 2020-03-04\n',
    'note: "[[character:nobody]] said so"\n',
    'home: ""\n',
    'unknown: "42"\n',
  ]) {
    const { fixes, unfixable } = fix(frontmatter);
    assert.deepEqual([fixes, unfixable], [[], []], frontmatter);
  }
  const { fixes } = fix('launch_date: 12 March 0412\n', { hasRealCalendar: false });
  assert.deepEqual(fixes, []);
});

test('required fields get real defaults, in the template’s order', () => {
  const text = '---\nid: sea_hawk\nrig: ""\nhull: { weight: 3 }\n---\n';
  const fixed = fixEntity(SHIP, { text, folderId: 'sea_hawk' }, OPTIONS);
  assert.equal(
    fixed.text,
    '---\nid: sea_hawk\nrig: "sloop"\nspeed: 3\nhull: { weight: 3, material: oak }\n---\n',
  );
  assert.deepEqual(
    fixed.fixes.map(({ field, kind, before, after, line }) => [field, kind, before, after, line]),
    [
      ['rig', 'missing_default', '', 'sloop', 3],
      ['hull.material', 'missing_default', null, 'oak', 4],
      ['speed', 'missing_default', null, 3, null],
    ],
  );
  assert.deepEqual(
    fixed.unfixable.map(({ field, kind, line }) => [field, kind, line]),
    [['motto', 'missing_default', null]],
  );
});

test('an option by its label or in another case', () => {
  for (const word of ['SLOOP', ' Sloop ']) {
    const text = `---\nrig: "${word}"\nmotto: x\nspeed: 1\n---\n`;
    assert.equal(readAt(fixEntity(SHIP, { text, folderId: 'a' }, OPTIONS).text, ['rig']), 'sloop');
  }
  const text = '---\nrig: Two Masts\nmotto: x\nspeed: 1\n---\n';
  assert.equal(readAt(fixEntity(SHIP, { text, folderId: 'a' }, OPTIONS).text, ['rig']), 'brig');
  const other = fixEntity(SHIP, { text: text.replace('Two', 'Three'), folderId: 'a' }, OPTIONS);
  assert.deepEqual([other.fixes.length, other.unfixable[0]?.kind], [0, 'option']);
});

test('dangling references go only when that is asked for', () => {
  const before =
    'crew:\n  - ghost # gone\n  - ada\n  - Nobody\nhome: nowhere\nvoyages:\n  - { port: lost, cargo: rum }\n';
  const kept = fix(before);
  assert.deepEqual([kept.frontmatter, kept.unfixable.length], [before, 4]);
  const taken = fix(before, { removeDangling: true, kinds: new Set() });
  assert.equal(taken.frontmatter, 'crew:\n  - ada\nhome: ""\nvoyages:\n  - { port: "", cargo: rum }\n');
  assert.deepEqual(
    taken.fixes.map(({ field, before: was, after, line }) => [field, was, after, line]),
    [
      ['home', 'nowhere', '', 9],
      ['voyages.0.port', 'lost', '', 11],
      ['crew.2', 'Nobody', null, 8],
      ['crew.0', 'ghost', null, 6],
    ],
  );
});

test('what may be several ids is never taken for a dangling one', () => {
  const before = 'crew: mira_vale, ada\n';
  assert.equal(fix(before, { removeDangling: true, kinds: new Set() }).frontmatter, before);
});

test('only the kinds that are asked for', () => {
  const { fixes, unfixable, frontmatter } = fix('armed: yes\ncrew: ada\nstatus: lost\n', {
    kinds: new Set(['list']),
  });
  assert.deepEqual(
    fixes.map(({ kind }) => kind),
    ['list'],
  );
  assert.deepEqual(unfixable, []);
  assert.ok(frontmatter.includes('armed: yes'));
});

test('a file that cannot be read stays, with its line; a value that an alias repeats too', () => {
  const broken = '---\nid: [\n---\n';
  const fixed = fixEntity(SHIP, { text: broken, folderId: 'a' }, OPTIONS);
  assert.equal(fixed.text, broken);
  assert.equal(fixed.unfixable[0]?.field, null);
  const alias = fix('decks: &n 3\ncall_sign: *n\n');
  assert.match(alias.unfixable[0]?.reason ?? '', /repeated/);
});

test('thousands of faults of one list are mended together, each on its line', () => {
  const count = 5_000;
  const items = (one: (n: number) => string) => Array.from({ length: count }, (_, n) => one(n)).join('');
  const { fixes, unfixable, frontmatter } = fix(`crew:\n${items((n) => `  - ${n} # ${n}\n`)}`);
  assert.equal(frontmatter, `crew:\n${items((n) => `  - "${n}" # ${n}\n`)}`);
  assert.deepEqual(unfixable.length, count, 'none of them names anybody');
  assert.deepEqual([fixes.length, fixes.at(-1)?.line], [count, count + 5]);
});

test('places that cannot be changed leave the others changed', () => {
  const written = (callSign: string, filler: string) => `call_sign: ${callSign} # ${filler}\ncrew: [1, 2]\n`;
  const roomForOnePair = DOCUMENT_LIMITS.yamlBytes - 2 - WHOLE.length - written('42', '').length;
  const filler = 'x'.repeat(roomForOnePair);
  const { fixes, unfixable, frontmatter } = fix(written('42', filler), { kinds: new Set(['type']) });
  assert.deepEqual(
    fixes.map(({ field }) => field),
    ['call_sign'],
  );
  assert.deepEqual(
    unfixable.map(({ field, line }) => [field, line]),
    [
      ['crew.0', 6],
      ['crew.1', 6],
    ],
  );
  assert.match(unfixable[0]?.reason ?? '', /^the field "crew" cannot be changed/);
  assert.equal(frontmatter, written('"42"', filler));
});

test('dates', () => {
  const cases: [string, string | null | RegExp][] = [
    ['12 March 2020', '2020-03-12'],
    ['12-Mar-2020', '2020-03-12'],
    ['March 12th, 2020', '2020-03-12'],
    ['Sept. 3, 1999', '1999-09-03'],
    ['2020 march 2', '2020-03-02'],
    ['2020.3.4', '2020-03-04'],
    ['25/12/2020', '2020-12-25'],
    ['12/25/2020', '2020-12-25'],
    ['5.5.2020', '2020-05-05'],
    ['29 February 2023', /no such day/],
    ['2020/13/01', /no such day/],
    ['13/14/2020', /no such day/],
    ['3/4/2020', /not clear/],
    ['12 Frostmonth 1187', null],
    ['12/3-2020', null],
    ['March 2020', null],
    ['2020', null],
    ['2020-03-12T10:00', null],
    ['4 may 20', null],
  ];
  for (const [text, expected] of cases) {
    const reading = readDate(text);
    if (expected instanceof RegExp) assert.match(JSON.stringify(reading), expected, text);
    else assert.deepEqual(reading, expected === null ? null : { iso: expected }, text);
  }
});
