import type { BlockItem, FieldItem } from '../../content/layout/index.ts';
import type { FormField, JsonSchema } from './form-field.ts';
import { layoutOf } from './form-layout.ts';
import { type FormGroup, type FormItem, groupsOfFields, known, lastGroups } from './form-model.ts';

/** The Studio has no place for it yet. */
const SHOWN_NOWHERE = 'assets';

/**
 * The groups of a form as the layout of its type has them: its sections, the fields that it does not name, and at the end
 * those that it hides. A name that the template lacks, or that stands there twice, is passed over, since a layout is a file
 * that people write.
 */
export function arrangedFormOf(schema: JsonSchema, values: Record<string, unknown>): FormGroup[] {
  const layout = layoutOf(schema) ?? { sections: [], hidden: [] };
  const left = new Map(known(schema).fields.map((field) => [field.name, field]));
  const itemsOf = (items: readonly (FieldItem | BlockItem)[]): FormItem[] =>
    items.flatMap((item, at): FormItem[] => {
      if ('block' in item) {
        const key = `${at} ${item.block}`;
        return item.block === SHOWN_NOWHERE ? [] : [{ key, width: 'full', block: item.block }];
      }
      const field = left.get(item.field);
      left.delete(item.field);
      return field ? itemsOfField(field, values, item.width) : [];
    });
  const sections = layout.sections.map(({ label, items, collapsed = false }, at) => ({
    ...groupOf('section', `section ${at} ${label}`, itemsOf(items)),
    label,
    isFolded: collapsed,
  }));
  const hidden = itemsOf(layout.hidden.map((field) => ({ field })));
  const unplaced = groupsOfFields([...left.values()], values).map(itemOfGroup);
  return [
    ...[...sections, groupOf('unplaced', 'unplaced', unplaced)].filter(hasItems),
    ...lastGroups(schema, values),
    ...[{ ...groupOf('hidden', 'hidden', hidden), isFolded: true }].filter(hasItems),
  ];
}

const hasItems = ({ items = [] }: FormGroup): boolean => items.length > 0;

const groupOf = (kind: FormGroup['kind'], id: string, items: readonly FormItem[]): FormGroup => ({
  id,
  kind,
  label: null,
  help: null,
  fields: items.flatMap(fieldsOf),
  items,
});

/** Of a group all of its fields, of a block none. */
export const fieldsOf = (item: FormItem): readonly FormField[] => {
  if ('field' in item) return [item.field];
  return 'group' in item ? item.group.fields : [];
};

/** An object is a group within the section, so that each of its fields is edited and saved by itself. */
const itemsOfField = (
  field: FormField,
  values: Record<string, unknown>,
  width: FieldItem['width'] = 'full',
): FormItem[] =>
  groupsOfFields([field], values).flatMap((group): FormItem[] =>
    group.kind === 'object'
      ? [{ ...itemOfGroup(group), width }]
      : group.fields.map((one) => ({ key: `${one.path} ${one.widget}`, width, field: one })),
  );

const itemOfGroup = (group: FormGroup): FormItem => ({ key: group.id, width: 'full', group });
