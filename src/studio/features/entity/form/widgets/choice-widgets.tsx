import { clearedValue, isEmptyValue, textOfValue } from '../../../../domain/field-value.ts';
import type { FieldOption, FormField } from '../../../../domain/form-field.ts';
import { RadioGroup } from '../../../../kit/ui/radio-group.tsx';
import { Select } from '../../../../kit/ui/select.tsx';
import { Switch } from '../../../../kit/ui/switch.tsx';
import { useServices } from '../form-context.ts';
import { shortText } from '../short-text.ts';
import type { WidgetProps } from '../widget-props.ts';

const NOTHING = 'nothing';
const OTHER = 'other';

export function SelectWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { messages } = useServices();
  return (
    <Select
      {...frame}
      options={[
        ...(field.isRequired ? [] : [{ id: NOTHING, label: messages.nothing }]),
        ...optionsOf(field, value),
      ]}
      value={chosenOf(field, value)}
      onChange={(id) => take(field, id, onChange)}
      onFocus={onFocus}
      placeholder={messages.choose}
    />
  );
}

export const RadioWidget = ({ field, value, onChange, onFocus, frame }: WidgetProps) => (
  <RadioGroup
    {...frame}
    options={optionsOf(field, value)}
    value={chosenOf(field, value)}
    onChange={(id) => take(field, id, onChange)}
    onFocus={onFocus}
    look={lookOf(field)}
  />
);

/** A few short words stand in one box. */
function lookOf({ isHorizontal, options }: FormField): 'vertical' | 'horizontal' | 'segmented' {
  if (!isHorizontal) return 'vertical';
  const letters = options.reduce((sum, { label }) => sum + label.length, 0);
  return options.length <= 4 && letters <= 28 ? 'segmented' : 'horizontal';
}

/** Ids are places, since values may be numbers and truths too. A value that is none of the options is one more. */
function optionsOf(field: FormField, value: unknown) {
  const options = field.options.map(({ label, hex }, index) => ({
    id: String(index),
    label,
    ...(hex !== undefined && { color: hex }),
  }));
  return chosenOf(field, value) === OTHER
    ? [...options, { id: OTHER, label: shortText(textOfValue(value) ?? '', 200) }]
    : options;
}

function chosenOf({ options }: FormField, value: unknown): string | null {
  if (isEmptyValue(value)) return null;
  const index = options.findIndex((option: FieldOption) => option.value === value);
  return index < 0 ? OTHER : String(index);
}

function take(field: FormField, id: string, onChange: (value: unknown) => void): void {
  if (id === NOTHING) onChange(clearedValue(field));
  const option = field.options[Number(id)];
  if (option !== undefined) onChange(option.value);
}

export const ToggleWidget = ({ value, onChange, onFocus, frame }: WidgetProps) => (
  <Switch {...frame} isOn={value === true} onChange={onChange} onFocus={onFocus} />
);
