import { type ReactNode, useId } from 'react';
import { unplacedFields } from '../../../content/layout/index.ts';
import { withHidden, withoutHidden } from '../../domain/layout-edit.ts';
import { useTexts } from '../../kit/i18n/texts.ts';
import { Button } from '../../kit/ui/button.tsx';
import type { Editing } from './editing.ts';
import styles from './layout.module.css';
import { layoutTexts } from './layout-texts.ts';

export function UnplacedFields({ layout, names, mayEdit, change }: Editing) {
  const texts = useTexts(layoutTexts);
  const fields = unplacedFields(layout, { fields: [...names.fields.values()] });
  return (
    <FieldList title={texts.unplaced} why={texts.unplacedWhy} fields={fields} names={names}>
      {(field, name) =>
        mayEdit && (
          <Button
            size="s"
            tone="quiet"
            label={texts.hideField(name)}
            onPress={() => change(withHidden(layout, field), `[data-part="field-${CSS.escape(field)}"]`)}
          >
            {texts.hide}
          </Button>
        )
      }
    </FieldList>
  );
}

export function HiddenFields({ layout, names, mayEdit, change }: Editing) {
  const texts = useTexts(layoutTexts);
  return (
    <FieldList title={texts.hidden} why={texts.hiddenWhy} fields={layout.hidden} names={names}>
      {(field, name) =>
        mayEdit && (
          <Button
            size="s"
            tone="quiet"
            label={texts.showField(name)}
            onPress={() => change(withoutHidden(layout, field), `[data-part="field-${CSS.escape(field)}"]`)}
          >
            {texts.show}
          </Button>
        )
      }
    </FieldList>
  );
}

interface FieldListProps extends Pick<Editing, 'names'> {
  title: string;
  why: string;
  fields: readonly string[];
  children: (field: string, name: string) => ReactNode;
}

function FieldList({ title, why, fields, names, children }: FieldListProps) {
  const heading = useId();
  if (fields.length === 0) return null;
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={styles.heading}>
        {title}
      </h2>
      <p className={styles.quiet}>{why}</p>
      <ul className={styles.items}>
        {fields.map((field) => {
          const name = names.nameOf({ field });
          return (
            <li key={field} className={styles.item} data-part={`field-${field}`}>
              <span className={styles.what} dir="auto">
                {name}
              </span>
              {children(field, name)}
            </li>
          );
        })}
      </ul>
    </section>
  );
}
