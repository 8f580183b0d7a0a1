import type { ComponentType } from 'react';
import { isMap } from '../../../../../text/json.ts';
import { isScalar, listOfValue } from '../../../../domain/field-value.ts';
import type { FormField } from '../../../../domain/form-field.ts';
import type { WidgetName } from '../../../../domain/widget-names.ts';
import { late } from '../../../../kit/ui/late.tsx';
import type { WidgetProps } from '../widget-props.ts';
import { RadioWidget, SelectWidget, ToggleWidget } from './choice-widgets.tsx';
import { ColorGroupWidget, ColorWidget, PaletteWidget } from './color-widgets.tsx';
import { DateWidget } from './date-widget.tsx';
import { ListWidget } from './list-widget.tsx';
import { NumberWidget, RangeWidget } from './number-widgets.tsx';
import { ObjectWidget } from './object-widget.tsx';
import { ReadOnlyWidget, UnfitValue } from './read-only-widget.tsx';
import { ReferenceWidget } from './reference-widget.tsx';
import { TagsWidget } from './tags-widget.tsx';
import { TextAreaWidget, TextWidget, UrlWidget } from './text-widgets.tsx';

// Few types have them.
const ImageWidget = late(async () => (await import('./image-widget.tsx')).ImageWidget);
const ObjectArrayWidget = late(async () => (await import('./object-array-widget.tsx')).ObjectArrayWidget);
const PercentageWidget = late(async () => (await import('./percentage-widget.tsx')).PercentageWidget);

type Test = (value: unknown) => boolean;

const isBoolean: Test = (value) => typeof value === 'boolean';
const isListed: Test = (value) => listOfValue(value) !== null;
const isAnything: Test = () => true;

/** Each with the values that it can edit; nothing at all is one of them. */
const WIDGETS: Readonly<Record<WidgetName, [ComponentType<WidgetProps>, Test]>> = {
  text: [TextWidget, isScalar],
  textarea: [TextAreaWidget, isScalar],
  number: [NumberWidget, isScalar],
  range: [RangeWidget, isScalar],
  year: [DateWidget, isScalar],
  date: [DateWidget, isScalar],
  toggle: [ToggleWidget, isBoolean],
  select: [SelectWidget, isScalar],
  'radio-group': [RadioWidget, isScalar],
  tags: [TagsWidget, isListed],
  list: [ListWidget, isListed],
  'textarea-array': [ListWidget, isListed],
  'object-array': [ObjectArrayWidget, isListed],
  object: [ObjectWidget, isMap],
  color: [ColorWidget, isScalar],
  'color-palette': [PaletteWidget, isListed],
  'color-group': [ColorGroupWidget, isMap],
  'percentage-group': [PercentageWidget, isMap],
  image: [ImageWidget, isScalar],
  url: [UrlWidget, isScalar],
  'entity-selector': [ReferenceWidget, isListed],
  'read-only-text': [ReadOnlyWidget, isAnything],
};

export function widgetFor({ widget }: FormField, value: unknown): ComponentType<WidgetProps> {
  const [component, fits] = WIDGETS[widget];
  return value === undefined || value === null || value === '' || fits(value) ? component : UnfitValue;
}
