import { useState } from 'react';
import { isMap, type JsonMap } from '../../../../text/json.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import type { FieldProps } from '../../../kit/ui/field.tsx';
import { TextArea } from '../../../kit/ui/text-area.tsx';
import { manageTexts } from './manage-texts.ts';

interface ObjectSettingProps {
  frame: FieldProps;
  value: JsonMap | null;
  onChange: (value: unknown) => void;
}

/** JSON as a text. It changes as soon as what is typed is an object. */
export function ObjectSetting({ frame, value, onChange }: ObjectSettingProps) {
  const texts = useTexts(manageTexts);
  const [typed, setTyped] = useState<string | null>(null);
  const isWhole = typed === null || typed.trim() === '' || objectIn(typed) !== null;
  const type = (text: string) => {
    setTyped(text);
    const object = objectIn(text);
    if (object || text.trim() === '') onChange(object);
  };
  return (
    <TextArea
      {...frame}
      error={isWhole ? frame.error : texts.noJson}
      value={typed ?? (value === null ? '' : JSON.stringify(value, null, 2))}
      onChange={type}
      onBlur={() => isWhole && setTyped(null)}
      rows={4}
    />
  );
}

function objectIn(text: string): JsonMap | null {
  try {
    const value: unknown = JSON.parse(text);
    return isMap(value) ? value : null;
  } catch {
    return null;
  }
}
