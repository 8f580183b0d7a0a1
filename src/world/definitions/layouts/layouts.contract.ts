import { Type } from 'typebox';
import { PERMISSIONS } from '../../../access/plans.ts';
import { LAYOUT_WIDTHS } from '../../../content/layout/index.ts';
import { contract } from '../../../kit/contract.ts';
import { closed, named } from '../../../kit/schemas.ts';

const Name = Type.String({ minLength: 1, maxLength: 200 });
const Width = Type.Unsafe<(typeof LAYOUT_WIDTHS)[number]>({
  type: 'string',
  enum: [...LAYOUT_WIDTHS],
  description: 'Of the form, where there is room; `full` unless it is given',
});

const FieldItem = closed({
  field: Name,
  widget: Type.Optional(
    Type.String({
      maxLength: 200,
      description: 'A widget of `GET /api/widgets`, or `plugin:{plugin}:{widget}`; wins over `field_config`',
    }),
  ),
  width: Type.Optional(Width),
});
const BlockItem = closed({
  block: Type.String({
    maxLength: 200,
    description: '`markdown_body`, `references`, `assets`, or `plugin:{plugin}:{panel}`',
  }),
});
const Section = closed({
  label: Name,
  collapsed: Type.Optional(Type.Boolean({ description: 'Folded until the user opens it' })),
  items: Type.Array(Type.Union([FieldItem, BlockItem]), { maxItems: 500 }),
});

export const LayoutBody = closed(
  {
    sections: Type.Array(Section, { maxItems: 100 }),
    hidden: Type.Array(Name, {
      maxItems: 500,
      description: 'Fields that the form leaves out until the user asks for them',
    }),
  },
  { $id: 'LayoutBody' },
);

const Layout = named('Layout', {
  entity_type: Type.String(),
  path: Type.String({ description: 'Where it is saved, from the project’s root' }),
  is_saved: Type.Boolean({
    description: 'Otherwise it is the default: all fields in the template’s order',
  }),
  checksum: Type.Union([Type.String(), Type.Null()], {
    description: 'Of the saved file; in quotes it is its `ETag`. Null where none is saved',
  }),
  ...LayoutBody.properties,
  unplaced: Type.Array(Type.String(), {
    description: 'Fields that the layout does not name, such as those that the template got later',
  }),
  problem: Type.Union([Type.String(), Type.Null()], {
    description: 'Why the saved layout cannot be read; the default stands in for it',
  }),
});

const TypeParams = Type.Object({ type: Type.String({ maxLength: 100 }) });
const exampleLayout = {
  sections: [
    {
      label: 'Who they are',
      items: [{ field: 'birth_year', widget: 'number', width: 'half' }, { block: 'markdown_body' }],
    },
  ],
  hidden: ['theme_song'],
};
const example = { params: { type: 'character' } };
const reply = {
  entity_type: 'character',
  path: '_Templates/Layouts/character.layout.json',
  is_saved: true,
  checksum: `sha256:${'5f'.repeat(32)}`,
  ...exampleLayout,
  unplaced: ['species'],
  problem: null,
};
const route = { project: true, tag: 'Templates', params: TypeParams } as const;
const manages = { ...route, auth: 'bearer', role: PERMISSIONS.manage_templates } as const;

export const getLayout = contract('GET /api/layouts/{type}', {
  ...route,
  name: 'getLayout',
  auth: 'bearer',
  summary: 'How the form of a type is arranged',
  description: 'The `ETag` of a saved layout can be sent back as `If-Match` with a change.',
  reply: Layout,
  errors: [404],
  example: { ...example, reply },
});

export const updateLayout = contract('PUT /api/layouts/{type}', {
  ...manages,
  name: 'updateLayout',
  summary: 'Save the layout of a type',
  description:
    'Replaces the whole layout. The widgets that it names win over those of the template. `If-None-Match: *` saves only where no layout is saved yet.',
  body: closed(
    {
      ...LayoutBody.properties,
      overwrite: Type.Optional(Type.Boolean({ description: 'Replace a saved layout that cannot be read' })),
    },
    { $id: 'UpdateLayout' },
  ),
  reply: Layout,
  errors: [404, 409, 412],
  example: { ...example, body: exampleLayout, reply },
});

export const deleteLayout = contract('DELETE /api/layouts/{type}', {
  ...manages,
  name: 'deleteLayout',
  summary: 'Go back to the default layout of a type',
  description: 'Answers with the default. 404 where no layout is saved.',
  reply: Layout,
  errors: [404, 412],
  example: { ...example, reply: { ...reply, is_saved: false, checksum: null } },
});

const Widget = named('Widget', {
  id: Type.String(),
  label: Type.String(),
  value_types: Type.Array(Type.String(), { description: 'The types of the fields that it can show' }),
  options: Type.Array(Type.String(), { description: 'The keys of `field_config` that it reads' }),
});

export const listWidgets = contract('GET /api/widgets', {
  name: 'listWidgets',
  auth: 'bearer',
  tag: 'Templates',
  summary: 'The ways in which forms can show fields',
  reply: Type.Object({ widgets: Type.Array(Widget) }),
  example: {
    reply: {
      widgets: [
        {
          id: 'range',
          label: 'A slider',
          value_types: ['number'],
          options: ['min', 'max', 'step', 'show_value'],
        },
      ],
    },
  },
});
