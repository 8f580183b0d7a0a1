import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

export const MARKUP = `<script>alert("1")</script><img src=x onerror=alert(2)> & 'co'`;
const LONG = 'Abracadabra'.repeat(1_000).slice(0, 10_000);
/** Hebrew and Arabic, a mark that turns what follows around, and letters without a width. */
const TURNED = 'שלום عليكم \u202eReversed\u202c zero\u200b\u200d\u2060width\ufeff';

const FIELDS = 200;
const ITEMS = 5_000;

const WIDGETS = ['hologram', '<b>bold</b>', '', 'select', 'range', 'url', 'entity-selector', 'color-palette'];

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index);
const quoted = (text: string): string => JSON.stringify(text);
const fieldName = (index: number): string => `field_${index}`;

/** Widgets that nobody knows, and known ones with settings that make no sense. */
const template = `---
template_version: "2.0"
id: wicked_template
entity_type: wicked
label: ${quoted(MARKUP)}
description: ${quoted(`${TURNED} ${LONG}`)}
template_category: entity
ui_icon: "javascript:alert(3)"
ui_color: "red; background: url(javascript:alert(4))"
folder_name: Wicked
file_prefix: W_
fields:
  - { name: link, type: string, label: ${quoted(MARKUP)}, description: ${quoted(LONG)}, default: "" }
  - { name: items, type: array, label: ${quoted(TURNED)}, default: [] }
${numbers(FIELDS)
  .map(
    (index) =>
      `  - { name: ${fieldName(index)}, type: string, label: ${quoted(`${MARKUP} ${index}`)}, default: null }`,
  )
  .join('\n')}
field_config:
  link: { widget: url }
  items: { widget: list }
${numbers(FIELDS)
  .map(
    (index) =>
      `  ${fieldName(index)}: { widget: ${quoted(WIDGETS[index % WIDGETS.length] ?? '')}, min: 9, max: 1, step: 0, options: [${quoted(MARKUP)}, { hex: "url(x)" }, 7], reference_type: ${quoted(MARKUP)}, max_selections: -1 }`,
  )
  .join('\n')}
---
`;

/** It names what is not there, what stands there already, and what is nothing at all. */
const layout = {
  sections: [
    {
      label: MARKUP,
      items: [
        { field: 'link', widget: 'javascript:alert(12)', width: 'third' },
        { field: 'link', width: 'half' },
        { field: MARKUP },
        { block: MARKUP },
        { block: 'plugin:__proto__:constructor' },
        { block: 'plugin::' },
        { block: 'references' },
      ],
    },
    { label: TURNED, collapsed: true, items: [{ field: 'items' }, { field: '__proto__' }] },
    { label: LONG.slice(0, 200), items: [{ block: LONG.slice(0, 200) }] },
  ],
  hidden: ['link', 'items', 'constructor', ...numbers(100).map(fieldName)],
};

const entity = (id: string, name: string, fields = '', body = ''): string =>
  `---\nid: ${id}\nentity_type: wicked\nname: ${quoted(name)}\n${fields}---\n\n${body}\n`;

const links = `[Press](javascript:alert(5)) <javascript:alert(6)> [Data](data:text/html,<script>alert(7)</script>)
![Picture](javascript:alert(8)) ![Outside](https://example.com/x.png)

<iframe src="javascript:alert(9)"></iframe><style>body { display: none }</style><svg onload="alert(10)">

[[wicked:long]] [[wicked:turned]] [[wicked:markup|${MARKUP}]] [[wicked:nobody]] [[${LONG.slice(0, 300)}]]
`;

const filled = numbers(FIELDS)
  .map(
    (index) =>
      `${fieldName(index)}: ${[quoted(MARKUP), '[1, [2, {a: 3}]]', '{ b: { c: [] } }', '-1.5e9'][index % 4]}\n`,
  )
  .join('');

const files: Readonly<Record<string, string>> = {
  '_Templates/Custom/WICKED_TEMPLATE.md': template,
  '_Templates/Layouts/wicked.layout.json': JSON.stringify(layout),
  '_Templates/Layouts/character.layout.json': '{ "sections": [',
  'Wicked/markup/W_markup.md': entity('markup', MARKUP, 'link: "javascript:alert(11)"\n', links),
  'Wicked/long/W_long.md': entity(
    'long',
    LONG,
    `aliases: [${quoted(LONG)}]\n`,
    `${LONG}\n\n[[wicked:markup]]`,
  ),
  'Wicked/turned/W_turned.md': entity(
    'turned',
    TURNED,
    `summary: ${quoted(TURNED)}\n`,
    `${TURNED} [[wicked:markup]]`,
  ),
  'Wicked/many/W_many.md': entity(
    'many',
    'Many',
    `items: [${numbers(ITEMS).join(', ')}]\n${filled}toString: 1\n`,
    '[[wicked:markup]]',
  ),
  'Wicked/proto/W_proto.md': entity('proto', 'Proto', '__proto__: { polluted: yes }\n'),
  'Wicked/unreadable/W_unreadable.md': '---\nid: unreadable\n  name: [\n---\n',
};

/** The entities that can be read; each refers to `markup`. */
export const HOSTILE_IDS = ['markup', 'long', 'turned', 'many'] as const;

/** Adds to a world what nobody means well: names, a template, layouts and texts that break a page which trusts them. */
export function writeHostileWorld(content: string): void {
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(content, path)), { recursive: true });
    writeFileSync(join(content, path), text);
  }
}
