import { useMemo } from 'react';
import type { Unit } from '../../../../domain/calendar-day.ts';
import { textOfValue, valueOfText } from '../../../../domain/field-value.ts';
import { TextField } from '../../../../kit/ui/text-field.tsx';
import { useServices } from '../form-context.ts';
import type { WidgetProps } from '../widget-props.ts';

/** A text that says below what it was understood as. Arrow keys go by days, Page Up and Down by months, with Shift by years. */
export function DateWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { dates, messages, readOnly } = useServices();
  const text = textOfValue(value) ?? '';
  const meaning = useMemo(() => dates?.meaningOf(value, messages.dates) ?? null, [dates, value, messages]);
  const step = ({ key, shiftKey }: Key): string | undefined => {
    const move = STEPS.get(key);
    if (move === undefined || readOnly) return undefined;
    return dates?.stepped(text, shiftKey ? { ...move, unit: 'year' } : move);
  };
  return (
    <TextField
      {...frame}
      help={joined(frame.help, meaning)}
      value={text}
      onChange={(next) => onChange(valueOfText(next, field, value))}
      onFocus={onFocus}
      placeholder={field.placeholder ?? undefined}
      onKeyDown={(event) => {
        const next = step(event);
        if (next === undefined) return;
        event.preventDefault();
        onChange(valueOfText(next, field, value));
      }}
    />
  );
}

interface Key {
  key: string;
  shiftKey: boolean;
}

const STEPS: ReadonlyMap<string, { unit: Unit; by: number }> = new Map([
  ['ArrowUp', { unit: 'day', by: 1 }],
  ['ArrowDown', { unit: 'day', by: -1 }],
  ['PageUp', { unit: 'month', by: 1 }],
  ['PageDown', { unit: 'month', by: -1 }],
]);

const joined = (help: React.ReactNode, meaning: string | null) =>
  help && meaning ? (
    <>
      {help} <span aria-live="polite">{meaning}</span>
    </>
  ) : (
    (meaning ?? help)
  );
