import type { ComponentType, ReactNode } from 'react';
import type { EntityAddress } from '../../../data/entity.ts';
import type { Dates } from '../../../domain/calendar-text.ts';
import type { JsonSchema } from '../../../domain/form-field.ts';
import type { FormGroup, formModelOf } from '../../../domain/form-model.ts';
import type { FormMessages } from './form-messages.ts';
import type { WidgetProps } from './widget-props.ts';

export interface EntityRef {
  type: string;
  id: string;
}

export interface NamedEntity extends EntityRef {
  name: string;
  status?: string | null;
}

/** Answers at once, from what the browser knows. */
export interface NameLookup {
  search(text: string, options: { types: readonly string[] | null; limit: number }): readonly NamedEntity[];
  /** Of any type if it is null. */
  find(type: string | null, id: string): NamedEntity | undefined;
}

export interface PictureStore {
  resolve(path: string): string | null;
  upload(file: File): Promise<string>;
}

/** Whose value of a field counts. */
export type Side = 'mine' | 'theirs';

export interface FieldFault {
  message: string;
  line?: number;
}

export interface TheirValue {
  who: string;
  value: unknown;
}

export interface PersonHere {
  id: string;
  name: string;
}

export interface BlockProps {
  /** As a layout names it, such as `references` or `plugin:{plugin}:{panel}`. */
  name: string;
  entity: EntityAddress;
}

export interface PluginFieldProps {
  /** `plugin:{plugin}:{widget}` */
  name: string;
  entity: EntityAddress;
  control: WidgetProps;
  /** The usual widget, where there is no such plugin. */
  children: ReactNode;
}

export interface EntityParts {
  entity: EntityAddress;
  PluginField: ComponentType<PluginFieldProps>;
  Block: ComponentType<BlockProps>;
}

/** The services and settings that all fields of a form share. */
export interface FormServices {
  names: NameLookup;
  typeOf: (type: string) => { label: string; color?: string | null };
  onOpen: (ref: EntityRef) => void;
  /** Null if it was not made. */
  onMake: (type: string, name: string) => Promise<EntityRef | null>;
  images: PictureStore;
  /** Without it a date is a text like any other. */
  dates?: Dates | undefined;
  /** At the end of the line of a field's label. */
  moreOf?: ((path: string) => ReactNode) | undefined;
  /** Shows a field by the widget of a plugin, or what a layout places between fields, for the entity of the form. */
  parts?: EntityParts | undefined;
  readOnly: boolean;
  messages: FormMessages;
}

export interface Wanted {
  /** Or an entry within it. */
  field?: string | undefined;
}

/** Messages and other people's work at fields, by path. */
export interface FieldNews {
  errors: Readonly<Record<string, FieldFault>>;
  /** The address that shows a line of the entity's file. */
  lineHref?: ((line: number) => string) | undefined;
  /** Values that others saved in fields that were changed here. */
  theirs?: Readonly<Record<string, TheirValue>> | undefined;
  /** One of the two values was chosen, which the next `values` have. */
  onSettle?: ((path: string, side: Side) => void) | undefined;
  presence?: Readonly<Record<string, readonly PersonHere[]>> | undefined;
  /** Where to go: another object for each time. */
  wanted?: Wanted | undefined;
}

export interface FieldGroupProps {
  group: FormGroup;
  /** The number of its fields that may be drawn so far. */
  limit: number;
  values: Record<string, unknown>;
  onChange: (path: string, value: unknown) => void;
  /** It stands in another group. */
  isNested?: boolean;
}

/** How fields become groups, and how a group is drawn. */
export interface Arrangement {
  groupsOf: typeof formModelOf;
  Group: ComponentType<FieldGroupProps>;
}

/** Paths join keys by dots (`domain/field-path.ts`). Services that stay the same spare most fields a new drawing. */
export interface EntityFormProps extends FormServices, FieldNews {
  arrangement: Arrangement;
  schema: JsonSchema;
  values: Record<string, unknown>;
  onChange: (path: string, value: unknown) => void;
  onFocusField: (path: string) => void;
}
