import type { FieldOption } from '../../../../domain/form-field.ts';
import { Button, IconButton } from '../../../../kit/ui/button.tsx';
import { ColorMark } from '../../../../kit/ui/color-mark.tsx';
import { Icon } from '../../../../kit/ui/icons.tsx';
import { Select } from '../../../../kit/ui/select.tsx';
import { useServices } from '../form-context.ts';
import type { ShownReference } from './shown-reference.ts';
import styles from './widgets.module.css';

interface ReferenceRowsProps {
  references: readonly ShownReference[];
  words: readonly FieldOption[];
  onOpen: (key: string) => void;
  onRemove: (key: string) => void;
  onWord: (key: string, word: string) => void;
}

/** References that each say what they are to the entity. */
export function ReferenceRows({ references, words, onOpen, onRemove, onWord }: ReferenceRowsProps) {
  const { typeOf, messages, readOnly } = useServices();
  return (
    <ul className={styles.rows}>
      {references.map(({ key, entry, entity, label }) => (
        <li key={key} data-key={key} className={styles.reference}>
          {entity ? (
            <Button
              tone="quiet"
              size="s"
              label={messages.open(label)}
              icon={<ColorMark color={typeOf(entity.type).color} />}
              onPress={() => onOpen(key)}
            >
              <span className={styles.cut}>{label}</span>
            </Button>
          ) : (
            <span className={styles.missing}>{label}</span>
          )}
          <Select
            label={messages.relationship(label)}
            isLabelHidden
            isReadOnly={readOnly}
            options={optionsOf(words, entry.relationship)}
            value={entry.relationship}
            onChange={(word) => onWord(key, word)}
            placeholder={messages.choose}
          />
          {!readOnly && (
            <IconButton
              label={`${messages.remove}: ${label}`}
              icon={<Icon name="close" />}
              onPress={() => onRemove(key)}
            />
          )}
        </li>
      ))}
    </ul>
  );
}

/** A word that the template does not know is one more. */
function optionsOf(words: readonly FieldOption[], chosen: string | null) {
  const options = words.map(({ value, label }) => ({ id: String(value), label }));
  const isKnown = chosen === null || options.some(({ id }) => id === chosen);
  return isKnown ? options : [...options, { id: chosen, label: chosen }];
}
