import { useRef } from 'react';
import { textOfValue, valueOfText } from '../../../../domain/field-value.ts';
import { Icon } from '../../../../kit/ui/icons.tsx';
import { IconLink } from '../../../../kit/ui/link.tsx';
import { TextArea } from '../../../../kit/ui/text-area.tsx';
import { TextField } from '../../../../kit/ui/text-field.tsx';
import { useServices } from '../form-context.ts';
import type { WidgetProps } from '../widget-props.ts';

export const TextWidget = ({ field, value, onChange, onFocus, frame }: WidgetProps) => {
  const text = textOfValue(value) ?? '';
  const isArea = useRef(isLong(text));
  if (hasBreaks(text)) isArea.current = true;
  const props = {
    ...frame,
    value: text,
    onChange: (next: string) => onChange(valueOfText(next, field, value)),
    onFocus,
    placeholder: field.placeholder ?? undefined,
  };
  // One line cannot hold several, and would lose their breaks. Otherwise what it was stays: another box would take the focus away.
  return isArea.current ? <TextArea {...props} /> : <TextField {...props} />;
};

const isLong = (text: string): boolean => text.length > 60 || hasBreaks(text);

const hasBreaks = (text: string): boolean => /[\r\n]/.test(text);

export const TextAreaWidget = ({ field, value, onChange, onFocus, frame }: WidgetProps) => (
  <TextArea
    {...frame}
    value={textOfValue(value) ?? ''}
    onChange={(next) => onChange(valueOfText(next, field, value))}
    onFocus={onFocus}
    placeholder={field.placeholder ?? undefined}
  />
);

export function UrlWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { messages } = useServices();
  const text = textOfValue(value) ?? '';
  const end = isWebAddress(text) && (
    <IconLink href={text} label={messages.openLink} icon={<Icon name="open" />} />
  );
  return (
    <TextField
      {...frame}
      value={text}
      onChange={(next) => onChange(valueOfText(next, field, value))}
      onFocus={onFocus}
      inputMode="url"
      placeholder={field.placeholder ?? undefined}
      end={end}
    />
  );
}

/** Nothing else is followed, least of all `javascript:`. */
const isWebAddress = (text: string): boolean => /^https?:\/\//i.test(text) && URL.canParse(text);
