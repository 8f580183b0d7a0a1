import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseTemplate, schemaOf } from '../../../content/template/index.ts';
import { fieldsOfSchema } from '../form-field.ts';
import { widgetOptions } from './widget-options.ts';

const TEMPLATE = `---
entity_type: ship
speed: 0
flag: ""
field_config:
  speed: { widget: "plugin:gauges:dial", min: 1, max: 40, unit: knots, marks: [10, 20] }
  flag: { widget: select, options: [red, green] }
---
`;

function optionsOf(name: string) {
  const read = parseTemplate({ path: '_Templates/Standard/SHIP_TEMPLATE.md', text: TEMPLATE });
  assert.ok(read.ok);
  const field = fieldsOfSchema([], schemaOf(read.template)).find((each) => each.name === name);
  return widgetOptions(field ?? assert.fail(name));
}

test('a widget gets what the template says of its field, with what only the plugin understands', () => {
  assert.deepEqual(optionsOf('speed'), {
    field: 'speed',
    label: 'Speed',
    required: false,
    min: 1,
    max: 40,
    unit: 'knots',
    marks: [10, 20],
  });
  assert.deepEqual(optionsOf('flag'), {
    field: 'flag',
    label: 'Flag',
    required: false,
    options: [
      { value: 'red', label: 'Red' },
      { value: 'green', label: 'Green' },
    ],
  });
});
