import type { CodeKeywordDefinition, ErrorObject, ValidateFunction } from 'ajv';
import Ajv from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import type { TSchema } from 'typebox';
import { didYouMean } from '../../text/near.ts';
import { type FieldError, invalid } from '../errors.ts';

type Place = 'path' | 'query' | 'body' | 'form' | 'reply';

/** Characters that take two units of a string. */
const TWO_UNITS = /[\u{10000}-\u{10ffff}]/gu;
const isTooLong = (text: string, limit: number): boolean =>
  text.length > 2 * limit || text.length - (text.match(TWO_UNITS)?.length ?? 0) > limit;

/** Ajv's own keyword counts characters in every text; this one only in texts that may have too many. */
const MAX_LENGTH: CodeKeywordDefinition = {
  keyword: 'maxLength',
  type: 'string',
  schemaType: 'number',
  before: 'pattern',
  error: {
    message: ({ schemaCode }) => Ajv.str`must NOT have more than ${schemaCode} characters`,
    params: ({ schemaCode }) => Ajv._`{limit: ${schemaCode}}`,
  },
  code(context) {
    const { data, schemaCode, gen } = context;
    const check = gen.scopeValue('func', { ref: isTooLong });
    context.fail(Ajv._`${data}.length > ${schemaCode} && ${check}(${data}, ${schemaCode})`);
  },
};

/**
 * Schemas are not registered by their `$id`: two contracts may carry the same one. Nor are they validated: they are our
 * own, and the rules for schemas take longer to compile than everything else that a first request needs.
 */
const create = (options: object) =>
  addFormats.default(
    new Ajv.Ajv2020({
      allErrors: false,
      strict: false,
      useDefaults: true,
      addUsedSchema: false,
      meta: false,
      validateSchema: false,
      verbose: true,
      ...options,
    })
      .removeKeyword('maxLength')
      .addKeyword(MAX_LENGTH),
  );

let coercing: ReturnType<typeof create> | undefined;
let coercingForms: ReturnType<typeof create> | undefined;
let exact: ReturnType<typeof create> | undefined;
let checking: ReturnType<typeof create> | undefined;

/** Path, query and forms are converted from text (`"5"` to 5); path and query drop unknown names. JSON is taken as it is. */
const ajvFor = (place: Place) => {
  if (place === 'path' || place === 'query') {
    coercing ??= create({ coerceTypes: 'array', removeAdditional: 'all' });
    return coercing;
  }
  if (place === 'form') {
    coercingForms ??= create({ coerceTypes: 'array' });
    return coercingForms;
  }
  exact ??= create({});
  return exact;
};

const fieldOf = (error: ErrorObject): string => {
  const path = error.instancePath.slice(1).replaceAll('/', '.');
  const extra =
    error.keyword === 'required'
      ? error.params.missingProperty
      : error.keyword === 'additionalProperties'
        ? error.params.additionalProperty
        : undefined;
  return extra === undefined ? path : path === '' ? extra : `${path}.${extra}`;
};

const namesBeside = ({ parentSchema }: ErrorObject): string[] =>
  Object.keys((parentSchema?.properties as object | undefined) ?? {});

function oneOf(allowed: readonly unknown[], given: unknown): string {
  const words = allowed.filter((word) => typeof word === 'string');
  const near = typeof given === 'string' ? didYouMean(given, words) : '';
  const shown = allowed.filter((word) => word !== '').map((word) => (word === null ? 'null' : word));
  return `must be one of ${shown.join(', ')}${near}`;
}

const messageFor = (error: ErrorObject): string => {
  switch (error.keyword) {
    case 'required':
      return 'is required';
    case 'additionalProperties':
      return `is not known here${didYouMean(error.params.additionalProperty, namesBeside(error))}`;
    case 'enum':
      return oneOf(error.params.allowedValues as unknown[], error.data);
    default:
      return error.message ?? 'is not valid';
  }
};

const fieldErrorsOf = (validate: ValidateFunction): FieldError[] =>
  (validate.errors ?? []).map((error) => ({ field: fieldOf(error), message: messageFor(error) }));

/** Throws 422. Compiled on first use, to keep the start quick. */
export function createValidator(schema: TSchema, place: Place): (value: unknown) => void {
  let validate: ValidateFunction | undefined;
  return (value) => {
    validate ??= ajvFor(place).compile(schema);
    if (validate(value)) return;
    const errors = fieldErrorsOf(validate);
    const first = errors[0];
    const subject = first?.field
      ? `${place} ${place === 'body' || place === 'form' ? 'field' : 'parameter'} '${first.field}'`
      : `the ${place}`;
    throw invalid(`${subject} ${first?.message ?? 'is not valid'}`, { code: 'invalid_request', errors });
  };
}

/** Null if the value fits. Defaults are not filled in. */
export function createChecker(schema: TSchema): (value: unknown) => FieldError[] | null {
  let validate: ValidateFunction | undefined;
  return (value) => {
    checking ??= create({ useDefaults: false });
    validate ??= checking.compile(schema);
    return validate(value) ? null : fieldErrorsOf(validate);
  };
}
