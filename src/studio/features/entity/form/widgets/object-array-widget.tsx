import { useState } from 'react';
import { isMap } from '../../../../../text/json.ts';
import { listOfValue, valueOfList } from '../../../../domain/field-value.ts';
import { Button, IconButton } from '../../../../kit/ui/button.tsx';
import { FieldBox } from '../../../../kit/ui/field-box.tsx';
import { Icon } from '../../../../kit/ui/icons.tsx';
import { Menu } from '../../../../kit/ui/menu.tsx';
import { useServices } from '../form-context.ts';
import { shortText } from '../short-text.ts';
import type { WidgetProps } from '../widget-props.ts';
import { moved } from './moved.ts';
import { ObjectFields } from './object-widget.tsx';
import styles from './widgets.module.css';

const MOST_SHOWN = 10;

/** A list of objects, each in a box of its own. */
export function ObjectArrayWidget({ field, path, value, onChange, frame, Field }: WidgetProps) {
  const { messages, readOnly } = useServices();
  const [most, setMost] = useState(MOST_SHOWN);
  const list = listOfValue(value) ?? [];
  const give = (next: readonly unknown[]) => onChange(valueOfList(next, field.types, value));
  const entries = list.slice(0, most).map((entry, index) => ({ id: String(index), entry, index }));
  const hidden = list.length - entries.length;
  return (
    <FieldBox {...frame}>
      <div className={styles.lines}>
        {entries.map(({ id, entry, index }) => (
          <div key={id} className={styles.card}>
            <div className={styles.cardHead}>
              <span>{messages.entry(frame.label, index + 1)}</span>
              {!readOnly && (
                <EntryMenu
                  name={messages.entry(frame.label, index + 1)}
                  index={index}
                  count={list.length}
                  onMove={(to) => give(moved(list, index, to))}
                  onRemove={() => give(list.toSpliced(index, 1))}
                />
              )}
            </div>
            {isMap(entry) ? (
              <ObjectFields
                Field={Field}
                fields={field.fields}
                path={`${path}.${index}`}
                value={entry}
                onChange={(next) => give(list.with(index, next))}
              />
            ) : (
              <code dir="auto">{shortText(JSON.stringify(entry) ?? '', 200)}</code>
            )}
          </div>
        ))}
      </div>
      <div className={styles.chips}>
        {hidden > 0 && (
          <Button size="s" tone="quiet" onPress={() => setMost(most + 50)}>
            {messages.moreEntries(hidden)}
          </Button>
        )}
        {!readOnly && (
          <Button
            size="s"
            icon={<Icon name="plus" />}
            onPress={() => {
              setMost(Math.max(most, list.length + 1));
              give([...list, {}]);
            }}
          >
            {messages.addEntry}
          </Button>
        )}
      </div>
    </FieldBox>
  );
}

interface EntryMenuProps {
  name: string;
  index: number;
  count: number;
  onMove: (to: number) => void;
  onRemove: () => void;
}

function EntryMenu({ name, index, count, onMove, onRemove }: EntryMenuProps) {
  const { messages } = useServices();
  return (
    <Menu
      label={messages.actionsOf(name)}
      trigger={<IconButton size="s" label={messages.actionsOf(name)} icon={<Icon name="more" />} />}
      items={[
        { id: 'up', label: messages.moveUp, isDisabled: index === 0, onSelect: () => onMove(index - 1) },
        {
          id: 'down',
          label: messages.moveDown,
          isDisabled: index === count - 1,
          onSelect: () => onMove(index + 1),
        },
        { id: 'remove', label: messages.remove, isDanger: true, onSelect: onRemove },
      ]}
    />
  );
}
