import type { ComponentType } from 'react';
import { isMap } from '../../../../../text/json.ts';
import { type FormField, fieldOfValue } from '../../../../domain/form-field.ts';
import { FieldBox } from '../../../../kit/ui/field-box.tsx';
import type { EntityFieldProps, WidgetProps } from '../widget-props.ts';
import styles from './widgets.module.css';

/** An object within an object: its fields in a box. */
export const ObjectWidget = ({ field, path, value, onChange, frame, Field }: WidgetProps) => (
  <FieldBox {...frame}>
    <ObjectFields
      Field={Field}
      fields={field.fields}
      path={path}
      value={isMap(value) ? value : {}}
      onChange={onChange}
    />
  </FieldBox>
);

interface ObjectFieldsProps {
  fields: readonly FormField[];
  path: string;
  value: Record<string, unknown>;
  onChange: (value: Record<string, unknown>) => void;
  Field: ComponentType<EntityFieldProps>;
}

export function ObjectFields({ fields, path, value, onChange, Field }: ObjectFieldsProps) {
  const declared = new Set(fields.map(({ name }) => name));
  const others = Object.entries(value).filter(([key]) => !declared.has(key));
  return (
    <div className={styles.object}>
      {[...fields, ...others.map(([key, entry]) => fieldOfValue([key], entry))].map((field) => (
        <Field
          key={`${field.name} ${field.widget}`}
          field={field}
          path={`${path}.${field.name}`}
          value={Object.hasOwn(value, field.name) ? value[field.name] : undefined}
          onChange={(_, next) => onChange({ ...value, [field.name]: next })}
        />
      ))}
    </div>
  );
}
