import { type Layout, unplacedFields } from '../../../content/layout/index.ts';
import type { LayoutItem } from '../../domain/layout-edit.ts';
import { isField } from '../../domain/layout-edit.ts';
import type { PartNames } from './use-part-names.ts';

interface AddableGroup {
  kind: 'panels' | 'parts' | 'unplaced' | 'hidden';
  parts: readonly { id: string; name: string; item: LayoutItem }[];
}

/** The items that a section can still take: those that no section has. */
export function addable(layout: Layout, { fields, panels, links, nameOf }: PartNames): AddableGroup[] {
  const items = layout.sections.flatMap((section) => section.items);
  const placed = new Set(items.flatMap((item) => (isField(item) ? [] : [item.block])));
  const blocks = (all: ReadonlyMap<string, string>) =>
    [...all].flatMap(([block, name]) => (placed.has(block) ? [] : [{ id: block, name, item: { block } }]));
  const fieldsNamed = (all: readonly string[]) =>
    all.map((field) => ({ id: `field ${field}`, name: nameOf({ field }), item: { field } }));
  const groups: AddableGroup[] = [
    { kind: 'panels', parts: blocks(panels) },
    { kind: 'unplaced', parts: fieldsNamed(unplacedFields(layout, { fields: [...fields.values()] })) },
    { kind: 'hidden', parts: fieldsNamed(layout.hidden) },
    { kind: 'parts', parts: blocks(links) },
  ];
  return groups.filter(({ parts }) => parts.length > 0);
}
