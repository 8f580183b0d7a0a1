import { numberOfValue } from '../../../../domain/field-value.ts';
import { NumberField } from '../../../../kit/ui/number-field.tsx';
import { Slider } from '../../../../kit/ui/slider.tsx';
import { useServices } from '../form-context.ts';
import type { WidgetProps } from '../widget-props.ts';

export function NumberWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { messages } = useServices();
  return (
    <NumberField
      {...frame}
      value={typeof value === 'number' || typeof value === 'string' ? value : null}
      onChange={onChange}
      onFocus={onFocus}
      placeholder={field.placeholder ?? undefined}
      step={field.step ?? undefined}
      min={field.min ?? undefined}
      max={field.max ?? undefined}
      buttons={messages}
    />
  );
}

/** Without limits there is nothing to slide between. */
export function RangeWidget(props: WidgetProps) {
  const { messages } = useServices();
  const { field, value, onChange, onFocus, frame } = props;
  const number = numberOfValue(value);
  const isNumber = Number.isFinite(number);
  const isUnfit = !isNumber && value !== null && value !== undefined && value !== '';
  const [min, max] = [field.min ?? 0, field.max ?? 100];
  if (isUnfit || min >= max) return <NumberWidget {...props} />;
  return (
    <Slider
      {...frame}
      value={isNumber ? number : null}
      onChange={onChange}
      onFocus={onFocus}
      min={min}
      max={max}
      step={field.step ?? 1}
      showsValue={field.showsValue}
      emptyText={messages.notSet}
    />
  );
}
