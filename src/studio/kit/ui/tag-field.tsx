import { useMemo, useState } from 'react';
import { ComboBox } from './combo-box.tsx';
import type { FieldProps } from './field.tsx';
import { TagList } from './tag-list.tsx';

export interface TagFieldProps extends FieldProps {
  tags: readonly string[];
  onChange: (tags: string[]) => void;
  onFocus?: () => void;
  suggestions?: readonly string[];
  placeholder?: string | undefined;
  moreText: (count: number) => string;
}

const MOST_SHOWN = 60;
const MOST_SUGGESTED = 12;

/** Short words. Enter or a comma adds one, Backspace in the empty input takes the last one away. */
export function TagField({
  tags,
  onChange,
  onFocus,
  suggestions = [],
  placeholder,
  moreText,
  ...field
}: TagFieldProps) {
  const [text, setText] = useState('');
  const [shown, setShown] = useState(MOST_SHOWN);
  const isLocked = Boolean(field.isDisabled || field.isReadOnly);
  const add = (given: string) => {
    const words = given.split(/[,\n]/).map((word) => word.trim());
    const added = words.filter(
      (word, index) => word !== '' && !tags.includes(word) && words.indexOf(word) === index,
    );
    if (added.length > 0) onChange([...tags, ...added]);
    setText('');
  };
  const items = useMemo(
    () => tags.slice(0, shown).map((label, index) => ({ id: String(index), label })),
    [tags, shown],
  );
  const hidden = tags.length - items.length;
  return (
    <ComboBox
      {...field}
      options={suggestionsFor(text, tags, suggestions)}
      text={text}
      onTextChange={(next) => (next.includes(',') ? add(next) : setText(next))}
      onPick={add}
      onEnter={() => add(text)}
      onBackspace={() => !isLocked && tags.length > 0 && onChange(tags.slice(0, -1))}
      placeholder={tags.length === 0 ? placeholder : undefined}
      {...(onFocus && { onFocus })}
      start={
        items.length > 0 && (
          <TagList
            label={field.label}
            tags={items}
            onRemove={
              isLocked ? undefined : (id) => onChange(tags.filter((_, index) => String(index) !== id))
            }
            onShowMore={
              hidden > 0 ? { label: moreText(hidden), onPress: () => setShown(shown + 200) } : undefined
            }
          />
        )
      }
    />
  );
}

function suggestionsFor(text: string, tags: readonly string[], suggestions: readonly string[]) {
  const wanted = text.trim().toLocaleLowerCase();
  return suggestions
    .filter((word) => !tags.includes(word) && word.toLocaleLowerCase().includes(wanted))
    .slice(0, MOST_SUGGESTED)
    .map((word) => ({ id: word, label: word }));
}
