import { type ReactNode, Suspense, useEffect, useId, useState } from 'react';
import { fieldsOf } from '../../../domain/arranged-form.ts';
import { overlaps, valueAt } from '../../../domain/field-path.ts';
import type { FormGroup, FormItem } from '../../../domain/form-model.ts';
import { useTexts } from '../../../kit/i18n/texts.ts';
import { Icon } from '../../../kit/ui/icons.tsx';
import { EntityField } from '../form/entity-field.tsx';
import { FieldGroup } from '../form/field-group.tsx';
import { useNews, useServices } from '../form/form-context.ts';
import type { FieldGroupProps } from '../form/form-types.ts';
import { arrangedTexts } from './arranged-texts.ts';
import styles from './layout.module.css';

/** A section of a layout, and whatever else the form has. */
export function ArrangedGroup(props: FieldGroupProps) {
  const { group } = props;
  const title = useTitle(group);
  const items = <Items {...props} />;
  if (group.items === undefined) return <FieldGroup {...props} />;
  if (group.isFolded)
    return (
      <FoldedSection group={group} title={title}>
        {items}
      </FoldedSection>
    );
  return <OpenSection title={title}>{items}</OpenSection>;
}

function useTitle({ kind, label, fields }: FormGroup): string {
  const texts = useTexts(arrangedTexts);
  if (kind === 'unplaced') return texts.unplaced;
  return kind === 'hidden' ? texts.hidden(fields.length) : (label ?? '');
}

function OpenSection({ title, children }: { title: string; children: ReactNode }) {
  const heading = useId();
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 id={heading} className={styles.title} dir="auto">
        {title}
      </h2>
      {children}
    </section>
  );
}

interface FoldedSectionProps {
  group: FormGroup;
  title: string;
  children: ReactNode;
}

/** It opens by itself where the user is led to a field in it, or something has to be said about one. */
function FoldedSection({ group, title, children }: FoldedSectionProps) {
  const [heading, content] = [useId(), useId()];
  const [isOpen, setOpen] = useState(false);
  const call = useCall(group);
  useEffect(() => {
    if (call !== undefined) setOpen(true);
  }, [call]);
  return (
    <section className={styles.section} aria-labelledby={heading}>
      <h2 className={styles.title}>
        <button
          id={heading}
          type="button"
          className={styles.fold}
          aria-expanded={isOpen}
          aria-controls={content}
          onClick={() => setOpen(!isOpen)}
        >
          <Icon name={isOpen ? 'chevronDown' : 'chevronRight'} />
          <span dir="auto">{title}</span>
        </button>
      </h2>
      <div id={content}>{isOpen && children}</div>
    </section>
  );
}

/** Calls the user to a field of the group: another value for each call. */
function useCall({ fields }: FormGroup): unknown {
  const { errors, theirs = {}, wanted } = useNews();
  const isHere = (path: string) => fields.some((field) => overlaps(path, field.path));
  if (wanted?.field !== undefined && isHere(wanted.field)) return wanted;
  return [...Object.keys(errors), ...Object.keys(theirs)].find(isHere);
}

function Items({ group: { items = [] }, limit, ...form }: FieldGroupProps) {
  let room = limit;
  return (
    <div className={styles.items}>
      {items.map((item) => {
        const most = room;
        const count = fieldsOf(item).length;
        room -= count;
        if (count > 0 && most <= 0) return null;
        return (
          <div key={item.key} className={styles[item.width ?? 'full']}>
            <Item item={item} limit={most} {...form} />
          </div>
        );
      })}
    </div>
  );
}

interface ItemProps extends Omit<FieldGroupProps, 'group'> {
  item: FormItem;
}

function Item({ item, limit, values, onChange }: ItemProps) {
  const { parts } = useServices();
  if ('group' in item)
    return (
      <div className={styles.group}>
        <FieldGroup group={item.group} limit={limit} values={values} onChange={onChange} isNested />
      </div>
    );
  if ('block' in item)
    return (
      parts && (
        <Suspense>
          <parts.Block name={item.block} entity={parts.entity} />
        </Suspense>
      )
    );
  const { path } = item.field;
  return <EntityField field={item.field} path={path} value={valueAt(values, path)} onChange={onChange} />;
}
