export interface Field {
  name: string;
  label: string;
  isRequired: boolean;
}

const isMap = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The fields of a type, in the order of its template. */
export function fieldsOf(schema: unknown): Field[] {
  if (!isMap(schema) || !isMap(schema.properties)) return [];
  const required = Array.isArray(schema.required) ? schema.required : [];
  const order = (property: unknown): number =>
    isMap(property) && typeof property['x-order'] === 'number'
      ? property['x-order']
      : Number.MAX_SAFE_INTEGER;
  return Object.entries(schema.properties)
    .sort(([, one], [, other]) => order(one) - order(other))
    .map(([name, property]) => ({
      name,
      label: isMap(property) && typeof property.title === 'string' ? property.title : name,
      isRequired: required.includes(name),
    }));
}

/** `[Who raised them?]` is what a template asks, and no answer. */
const isQuestion = (text: string): boolean => /^\[[^\][]*\]$/.test(text.trim());

/** False for what says nothing: an empty text, list or object, and one of nothing but such. */
export function isFilled(value: unknown): boolean {
  if (value === null || value === undefined) return false;
  if (typeof value === 'string') return value.trim() !== '' && !isQuestion(value);
  if (Array.isArray(value)) return value.some(isFilled);
  return isMap(value) ? Object.values(value).some(isFilled) : true;
}
