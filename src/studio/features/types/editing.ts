import type { Layout } from '../../../content/layout/index.ts';
import type { ItemPlace, LayoutItem } from '../../domain/layout-edit.ts';
import type { PartNames } from './use-part-names.ts';

/** Shared by the parts of the editor. */
export interface Editing {
  layout: Layout;
  names: PartNames;
  mayEdit: boolean;
  /** `follow`: where the focus goes, as `useFollowedFocus` takes it. */
  change: (next: Layout, ...follow: string[]) => void;
}

/** The same for one item. */
export interface EditingItem extends Editing {
  item: LayoutItem;
  place: ItemPlace;
}

// The parts carry these, so that the focus finds them again.

export const sectionMark = (at: number): string => `section-${at}`;
export const itemMark = ({ section, item }: ItemPlace): string => `item-${section}-${item}`;

/** Where a section is added. */
export const NEW_SECTION = 'new-section';

/** The control of a part that does something. */
export const controlOf = (part: string, what: 'name' | 'up' | 'down' | 'add' | 'arrange'): string =>
  `[data-part="${part}"] [data-does="${what}"]`;
