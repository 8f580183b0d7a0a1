import type { JsonMap } from '../../../text/json.ts';
import type { FormField } from '../form-field.ts';

/** The template's words about a field, by the names of `field_config`, with all that only the plugin understands. */
export function widgetOptions(field: FormField): JsonMap {
  const { name, label, options, min, max, step, placeholder, isRequired } = field;
  const given = {
    ...field.config,
    field: name,
    label,
    required: isRequired,
    ...(options.length > 0 && { options }),
    min,
    max,
    step,
    placeholder,
    reference_type: field.referenceType,
    max_selections: field.maxSelections,
  };
  return Object.fromEntries(Object.entries(given).filter(([, value]) => value !== null));
}
