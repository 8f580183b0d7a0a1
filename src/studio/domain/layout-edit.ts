import type { BlockItem, FieldItem, Layout, LayoutSection } from '../../content/layout/index.ts';

export type LayoutItem = FieldItem | BlockItem;

/** Where an item stands, from 0. */
export interface ItemPlace {
  section: number;
  item: number;
}

export const isField = (item: LayoutItem): item is FieldItem => 'field' in item;

/** Without names that the type lacks and names that stand there twice, which the service would refuse. */
export function fittingLayout(
  layout: Layout,
  fields: ReadonlySet<string>,
): { layout: Layout; left: string[] } {
  const placed = new Set<string>();
  const left: string[] = [];
  const fits = (name: string): boolean => {
    const isFitting = fields.has(name) && !placed.has(name);
    if (isFitting) placed.add(name);
    else left.push(name);
    return isFitting;
  };
  const sections = layout.sections.map((section) => ({
    ...section,
    items: section.items.filter((item) => !isField(item) || fits(item.field)),
  }));
  return { layout: { sections, hidden: layout.hidden.filter(fits) }, left };
}

/** All that a layout says, without the places of a field. */
const without = ({ sections, hidden }: Layout, field: string): Layout => ({
  sections: sections.map((section) => ({
    ...section,
    items: section.items.filter((item) => !isField(item) || item.field !== field),
  })),
  hidden: hidden.filter((name) => name !== field),
});

export const withSection = (layout: Layout, label: string): Layout => ({
  ...layout,
  sections: [...layout.sections, { label, items: [] }],
});

export const withoutSection = (layout: Layout, at: number): Layout => ({
  ...layout,
  sections: layout.sections.toSpliced(at, 1),
});

export const changedSection = (
  layout: Layout,
  at: number,
  change: Partial<Omit<LayoutSection, 'items'>>,
): Layout => changed(layout, at, (section) => ({ ...section, ...change }));

export const movedSection = (layout: Layout, at: number, by: 1 | -1): Layout => ({
  ...layout,
  sections: swapped(layout.sections, at, at + by),
});

/** At the end of a section; a field leaves the place that it had. */
export function withItem(layout: Layout, section: number, item: LayoutItem): Layout {
  const rest = isField(item) ? without(layout, item.field) : layout;
  return changed(rest, section, (to) => ({ ...to, items: [...to.items, item] }));
}

export const withoutItem = (layout: Layout, { section, item }: ItemPlace): Layout =>
  changed(layout, section, (from) => ({ ...from, items: from.items.toSpliced(item, 1) }));

export const changedItem = (
  layout: Layout,
  { section, item }: ItemPlace,
  change: Partial<Omit<FieldItem, 'field'>>,
): Layout =>
  changed(layout, section, (of) => ({
    ...of,
    items: of.items.map((one, at) => (at === item && isField(one) ? { ...one, ...change } : one)),
  }));

export const withHidden = (layout: Layout, field: string): Layout => {
  const rest = without(layout, field);
  return { ...rest, hidden: [...rest.hidden, field] };
};

export const withoutHidden = (layout: Layout, field: string): Layout => ({
  ...layout,
  hidden: layout.hidden.filter((name) => name !== field),
});

/** Where an item stands after a move: past the edge of a section in the one beside it. Null where there is none. */
export function placeAfterMove(layout: Layout, { section, item }: ItemPlace, by: 1 | -1): ItemPlace | null {
  const within = item + by;
  if (within >= 0 && within < (layout.sections[section]?.items.length ?? 0)) return { section, item: within };
  const beside = layout.sections[section + by];
  return beside ? { section: section + by, item: by > 0 ? 0 : beside.items.length } : null;
}

export function movedItem(layout: Layout, from: ItemPlace, to: ItemPlace): Layout {
  const item = layout.sections[from.section]?.items[from.item];
  if (!item) return layout;
  return changed(withoutItem(layout, from), to.section, (section) => ({
    ...section,
    items: section.items.toSpliced(to.item, 0, item),
  }));
}

const changed = (layout: Layout, at: number, change: (section: LayoutSection) => LayoutSection): Layout => ({
  ...layout,
  sections: layout.sections.map((section, index) => (index === at ? change(section) : section)),
});

function swapped<T>(list: readonly T[], one: number, other: number): T[] {
  const [first, second] = [list[one], list[other]];
  if (first === undefined || second === undefined) return [...list];
  return list.with(one, second).with(other, first);
}
