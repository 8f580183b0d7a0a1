import type { FormField } from '../../../../domain/form-field.ts';
import { Button } from '../../../../kit/ui/button.tsx';
import { useServices } from '../form-context.ts';
import type { EntityRef } from '../form-types.ts';
import { shortText } from '../short-text.ts';
import type { ShownReference } from './shown-reference.ts';
import styles from './widgets.module.css';

interface MissingReferencesProps {
  field: FormField;
  references: readonly ShownReference[];
  onReplace: (key: string, ref: EntityRef) => void;
}

const MOST_SHOWN = 5;

/** Says which references lead nowhere, and what may have been meant. */
export function MissingReferences({ field, references, onReplace }: MissingReferencesProps) {
  const { names, messages, readOnly, onMake } = useServices();
  const missing = references.filter(({ entity }) => entity === undefined).slice(0, MOST_SHOWN);
  return missing.map(({ key, entry, label }) => {
    const type = entry.type ?? field.referenceType;
    const name = label.replaceAll(/[_-]+/g, ' ').trim();
    const candidates = readOnly ? [] : names.search(name, { types: type === null ? null : [type], limit: 3 });
    const make = async (kind: string) => {
      const made = await onMake(kind, name);
      if (made) onReplace(key, made);
    };
    return (
      <div key={key} className={styles.instead}>
        <span dir="auto">{messages.missing(shortText(label, 100))}</span>
        {candidates.length > 0 && <span>{messages.didYouMean}</span>}
        {candidates.map((entity) => (
          <Button
            key={`${entity.type}:${entity.id}`}
            size="s"
            label={messages.takeInstead(entity.name)}
            onPress={() => onReplace(key, { type: entity.type, id: entity.id })}
          >
            {shortText(entity.name, 60)}
          </Button>
        ))}
        {!readOnly && type !== null && entry.id !== null && (
          <Button size="s" tone="quiet" onPress={() => void make(type)}>
            {messages.makeIt}
          </Button>
        )}
      </div>
    );
  });
}
