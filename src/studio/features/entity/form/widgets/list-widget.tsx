import { useRef, useState } from 'react';
import { isScalar, listOfValue, valueOfList } from '../../../../domain/field-value.ts';
import { Button, IconButton } from '../../../../kit/ui/button.tsx';
import { FieldBox } from '../../../../kit/ui/field-box.tsx';
import { Icon } from '../../../../kit/ui/icons.tsx';
import { Menu } from '../../../../kit/ui/menu.tsx';
import { TextArea } from '../../../../kit/ui/text-area.tsx';
import { TextField } from '../../../../kit/ui/text-field.tsx';
import { useServices } from '../form-context.ts';
import { shortText } from '../short-text.ts';
import type { WidgetProps } from '../widget-props.ts';
import { moved } from './moved.ts';
import styles from './widgets.module.css';

const MOST_SHOWN = 50;

/** One line for each entry, and an empty one at the end in which the next begins. */
export function ListWidget({ field, value, onChange, onFocus, frame }: WidgetProps) {
  const { messages, readOnly } = useServices();
  const [most, setMost] = useState(MOST_SHOWN);
  const edited = useRef(new Set<number>());
  const list = listOfValue(value) ?? [];
  const give = (next: readonly unknown[]) => onChange(valueOfList(next, field.types, value));
  const lines = list.slice(0, most).map((entry, index) => ({ id: String(index), entry, index }));
  const hidden = list.length - lines.length;
  const isOpen = !readOnly && hidden === 0;
  const write = (index: number, text: string) => {
    edited.current.add(index);
    give([...list.slice(0, index), text, ...list.slice(index + 1)]);
  };
  const leave = (index: number) => {
    const isEmptied = edited.current.has(index) && list[index] === '';
    edited.current.delete(index);
    if (isEmptied) give(list.toSpliced(index, 1));
  };
  const props = {
    label: frame.label,
    isMultiline: field.widget === 'textarea-array',
    isReadOnly: readOnly,
    onFocus,
  };
  return (
    <FieldBox {...frame}>
      <div className={styles.lines}>
        {[...lines, ...(isOpen ? [{ id: String(list.length), entry: '', index: list.length }] : [])].map(
          ({ id, entry, index }) => (
            <ListLine
              key={id}
              {...props}
              entry={entry}
              place={index + 1}
              placeholder={
                placeholderAt(field.placeholder, index) ??
                (index < list.length ? undefined : messages.addEntry)
              }
              onChange={(text) => write(index, text)}
              onLeave={() => leave(index)}
              {...(index < list.length && { onMove: (to: number) => give(moved(list, index, to)) })}
              onRemove={() => give(list.toSpliced(index, 1))}
              count={list.length}
            />
          ),
        )}
      </div>
      {hidden > 0 && (
        <div>
          <Button size="s" tone="quiet" onPress={() => setMost(most + 200)}>
            {messages.moreEntries(hidden)}
          </Button>
        </div>
      )}
    </FieldBox>
  );
}

interface LineProps {
  label: string;
  entry: unknown;
  place: number;
  count: number;
  isMultiline: boolean;
  isReadOnly: boolean;
  placeholder: string | undefined;
  onChange: (text: string) => void;
  onFocus: () => void;
  onLeave: () => void;
  /** Missing in the line that is not an entry yet. */
  onMove?: (to: number) => void;
  onRemove: () => void;
}

function ListLine({
  label,
  entry,
  place,
  count,
  isMultiline,
  isReadOnly,
  onMove,
  onRemove,
  onLeave,
  ...props
}: LineProps) {
  const { messages } = useServices();
  const name = messages.entry(label, place);
  const isText = isScalar(entry);
  const control = {
    label: name,
    isLabelHidden: true,
    isReadOnly: isReadOnly || !isText,
    value: isText ? String(entry) : shortText(JSON.stringify(entry) ?? '', 200),
    placeholder: props.placeholder,
    onChange: props.onChange,
    onFocus: props.onFocus,
    onBlur: onLeave,
  };
  return (
    <div className={styles.line}>
      <div className={styles.grow}>
        {isMultiline ? (
          <TextArea {...control} rows={1} />
        ) : (
          <TextField {...control} onKeyDown={(event) => event.key === 'Enter' && focusNext(event.target)} />
        )}
      </div>
      {onMove && !isReadOnly && (
        <Menu
          label={messages.actionsOf(name)}
          trigger={<IconButton label={messages.actionsOf(name)} icon={<Icon name="more" />} />}
          items={[
            { id: 'up', label: messages.moveUp, isDisabled: place === 1, onSelect: () => onMove(place - 2) },
            {
              id: 'down',
              label: messages.moveDown,
              isDisabled: place === count,
              onSelect: () => onMove(place),
            },
            { id: 'remove', label: messages.remove, isDanger: true, onSelect: onRemove },
          ]}
        />
      )}
    </div>
  );
}

function focusNext(target: EventTarget): void {
  const line = target instanceof HTMLElement ? target.closest(`.${styles.line}`) : null;
  const next = line?.nextElementSibling?.querySelector('input');
  next?.focus();
}

const placeholderAt = (placeholder: string | null, index: number): string | undefined =>
  placeholder?.split('\n')[index];
