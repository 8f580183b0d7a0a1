import { useId, useMemo, useRef, useState } from 'react';
import { isWithin, valueAt } from '../../../domain/field-path.ts';
import { isEmptyField } from '../../../domain/field-value.ts';
import { type FormField, spelledOut } from '../../../domain/form-field.ts';
import type { FormGroup } from '../../../domain/form-model.ts';
import { Button } from '../../../kit/ui/button.tsx';
import { Icon } from '../../../kit/ui/icons.tsx';
import { EntityField } from './entity-field.tsx';
import styles from './entity-form.module.css';
import { useNews, useServices } from './form-context.ts';
import type { FormMessages } from './form-messages.ts';
import type { FieldGroupProps, FieldNews } from './form-types.ts';

/** So many show at least, so that a new entity has something to begin with. */
const FEWEST: Partial<Record<FormGroup['kind'], number>> = { fields: 6, object: 0, production: 3 };

export function FieldGroup({ group, limit, values, onChange, isNested = false }: FieldGroupProps) {
  const { messages } = useServices();
  const heading = useId();
  const [isWhole, setWhole] = useState(false);
  const shown = useShownPaths(group, values);
  const all = useMemo(
    () => (group.kind === 'production' ? group.fields.map((field) => named(field, messages)) : group.fields),
    [group.kind, group.fields, messages],
  );
  const fields = all.slice(0, limit);
  const visible = isWhole ? fields : fields.filter(({ path }) => shown.has(path));
  const folded = group.fields.filter(({ path }) => !shown.has(path)).length;
  const title = titleOf(group, messages);
  const help = group.kind === 'kept' ? messages.keptHelp : group.help;
  const Heading = isNested ? 'h3' : 'h2';
  return (
    <section className={styles.group} aria-labelledby={title === null ? undefined : heading}>
      {title !== null && (
        <Heading id={heading} className={styles.title} dir="auto">
          {title}
        </Heading>
      )}
      {help !== null && <p className={styles.help}>{help}</p>}
      <div className={group.kind === 'production' ? styles.row : styles.fields}>
        {visible.map((field) => (
          <EntityField
            key={`${field.path} ${field.widget}`}
            field={field}
            path={field.path}
            value={valueAt(values, field.path)}
            onChange={onChange}
          />
        ))}
      </div>
      {folded > 0 && (
        <div className={styles.fold}>
          <Button
            size="s"
            tone="quiet"
            icon={<Icon name={isWhole ? 'chevronUp' : 'plus'} />}
            onPress={() => setWhole(!isWhole)}
          >
            {isWhole ? messages.fewerFields : messages.moreFields(folded)}
          </Button>
        </div>
      )}
    </section>
  );
}

/** A field that was once shown stays, so that none vanishes while it is being emptied. */
function useShownPaths({ kind, fields }: FormGroup, values: Record<string, unknown>): ReadonlySet<string> {
  const news = useNews();
  const shown = useRef(new Set<string>());
  const wanted = fields.filter((field) => isWanted(field, values, news));
  for (const { path } of [...fields.slice(0, FEWEST[kind]), ...wanted]) shown.current.add(path);
  return shown.current;
}

const isWanted = (
  field: FormField,
  values: Record<string, unknown>,
  { errors, theirs = {}, presence = {}, wanted }: FieldNews,
): boolean =>
  field.isRequired ||
  (wanted?.field !== undefined && isWithin(wanted.field, field.path)) ||
  !isEmptyField(field, valueAt(values, field.path)) ||
  [errors, theirs, presence].some((about) => Object.hasOwn(about, field.path));

function titleOf({ kind, label }: FormGroup, messages: FormMessages): string | null {
  if (kind === 'production') return messages.production;
  return kind === 'kept' ? messages.kept : label;
}

const named = (field: FormField, { productionNames }: FormMessages): FormField => ({
  ...field,
  label: productionNames[field.name] ?? field.label,
  options: field.options.map((option) => ({
    ...option,
    label: productionNames[String(option.value)] ?? spelledOut(option.label),
  })),
});
