import { isScalar, listOfValue, valueOfList } from '../../../../domain/field-value.ts';
import { TagField } from '../../../../kit/ui/tag-field.tsx';
import { useServices } from '../form-context.ts';
import type { WidgetProps } from '../widget-props.ts';

export function TagsWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { messages } = useServices();
  const list = listOfValue(value) ?? [];
  const shown = list.map(textOf);
  /** Entries that stay keep the form that they have in the file, such as numbers. */
  const entryOf = (tag: string) => list[shown.indexOf(tag)] ?? tag;
  return (
    <TagField
      {...frame}
      tags={shown}
      onChange={(tags) => onChange(valueOfList(tags.map(entryOf), field.types, value))}
      onFocus={onFocus}
      suggestions={field.options.map((option) => String(option.value))}
      placeholder={field.placeholder ?? undefined}
      moreText={messages.moreEntries}
    />
  );
}

const textOf = (entry: unknown): string => (isScalar(entry) ? String(entry) : (JSON.stringify(entry) ?? ''));
