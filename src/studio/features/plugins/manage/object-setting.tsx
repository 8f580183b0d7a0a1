import { useState } from 'react';
import { isMap, type JsonMap } from '../../../../text/json.ts';
import { isSame } from '../../../domain/field-path.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import type { FieldProps } from '../../../kit/ui/field.tsx';
import { TextArea } from '../../../kit/ui/text-area.tsx';
import { manageTexts } from './manage-texts.ts';

interface ObjectSettingProps {
  frame: FieldProps;
  /** A text, where it was typed and is no object. */
  value: unknown;
  onChange: (value: unknown) => void;
}

/** JSON as a text, which the form does not save until it is an object. */
export function ObjectSetting({ frame, value, onChange }: ObjectSettingProps) {
  const texts = useTexts(manageTexts);
  const [typed, setTyped] = useState<string | null>(null);
  const type = (text: string) => {
    setTyped(text);
    onChange(isBlank(text) ? null : (objectIn(text) ?? text));
  };
  // Emptied is the default, which must not come back between two keys.
  const isTyped = typed !== null && (isBlank(typed) || isSame(objectIn(typed) ?? typed, value));
  return (
    <TextArea
      {...frame}
      error={typeof value === 'string' ? texts.noJson : frame.error}
      value={isTyped ? typed : textOf(value)}
      onChange={type}
      onBlur={() => typed !== null && isBlank(typed) && setTyped(null)}
      rows={4}
    />
  );
}

const isBlank = (text: string): boolean => text.trim() === '';

function textOf(value: unknown): string {
  if (typeof value === 'string') return value;
  return isMap(value) ? JSON.stringify(value, null, 2) : '';
}

function objectIn(text: string): JsonMap | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? value : null;
  } catch {
    return null;
  }
}
