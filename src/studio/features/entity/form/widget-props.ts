import type { ComponentType } from 'react';
import type { FormField } from '../../../domain/form-field.ts';
import type { FieldProps } from '../../../kit/ui/field.tsx';

export interface EntityFieldProps {
  field: FormField;
  path: string;
  value: unknown;
  onChange: (path: string, value: unknown) => void;
}

export interface WidgetProps {
  field: FormField;
  value: unknown;
  onChange: (value: unknown) => void;
  onFocus: () => void;
  /** Label, help and error, for the control. */
  frame: FieldProps;
  /** In the whole form; it begins with the paths of what is around it. */
  path: string;
  /** For widgets that hold fields of their own. */
  Field: ComponentType<EntityFieldProps>;
}
