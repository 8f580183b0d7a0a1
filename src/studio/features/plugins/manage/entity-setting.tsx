import { useState } from 'react';
import { useNames } from '../../../data/use-names.ts';
import { useWorld } from '../../../data/world.tsx';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { ComboBox } from '../../../kit/ui/combo-box.tsx';
import type { FieldProps } from '../../../kit/ui/field.tsx';
import { TagList } from '../../../kit/ui/tag-list.tsx';
import { manageTexts } from './manage-texts.ts';

interface EntitySettingProps {
  frame: FieldProps;
  /** As `type/id`. */
  chosen: readonly string[];
  onChange: (chosen: string[]) => void;
  most: number;
}

const MOST_FOUND = 12;

/** Entities by their names. */
export function EntitySetting({ frame, chosen, onChange, most }: EntitySettingProps) {
  const texts = useTexts(manageTexts);
  const { project, typeOf } = useWorld();
  const names = useNames(project);
  const [text, setText] = useState('');
  const isFull = chosen.length >= most;
  const found = names
    .search(text, { limit: MOST_FOUND + chosen.length })
    .map(({ type, id, name }) => ({ id: `${type}/${id}`, label: name, detail: typeOf(type)?.label ?? type }))
    .filter(({ id }) => !chosen.includes(id))
    .slice(0, MOST_FOUND);
  const nameOf = (address: string): string => {
    const [type = '', ...id] = address.split('/');
    return names.find(type, id.join('/'))?.name ?? address;
  };
  return (
    <ComboBox
      {...frame}
      isReadOnly={isFull}
      options={found}
      text={text}
      onTextChange={setText}
      onPick={(id) => {
        setText('');
        onChange([...chosen, id]);
      }}
      onBackspace={() => onChange(chosen.slice(0, -1))}
      placeholder={isFull ? undefined : texts.findEntity}
      emptyText={texts.noEntity}
      start={
        chosen.length > 0 && (
          <TagList
            label={texts.chosen(frame.label)}
            tags={chosen.map((id) => ({ id, label: nameOf(id) }))}
            onRemove={(id) => onChange(chosen.filter((one) => one !== id))}
          />
        )
      }
    />
  );
}
