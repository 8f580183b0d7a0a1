import type { TObject } from 'typebox';
import { type Contract, paramNames, querySchemaOf } from '../contract.ts';
import type { Components, SchemaObject } from './schemas.ts';

export interface ParameterObject {
  name: string;
  in: 'path' | 'query' | 'header';
  required: boolean;
  description?: string;
  schema: SchemaObject;
  example?: unknown;
}

/** Path, query and the headers that the service reads. */
export function parametersOf(contract: Contract, components: Components): ParameterObject[] {
  return [
    ...pathParameters(contract, components),
    ...queryParameters(contract, components),
    ...headers(contract),
  ];
}

function pathParameters(contract: Contract, components: Components): ParameterObject[] {
  const { properties = {} } = contract.params as Partial<TObject>;
  return paramNames(contract.path).map((name) => {
    const parameter = describe(name, 'path', true, components.use(properties[name] ?? { type: 'string' }));
    return withExample(parameter, contract.example.params?.[name]);
  });
}

function queryParameters(contract: Contract, components: Components): ParameterObject[] {
  const query = querySchemaOf(contract);
  const required = new Set<string>(query.required ?? []);
  return Object.entries(query.properties).map(([name, property]) => {
    const schema = components.use(property);
    const parameter = describe(name, 'query', required.has(name) && !('default' in schema), schema);
    return withExample(parameter, contract.example.query?.[name]);
  });
}

function headers(contract: Contract): ParameterObject[] {
  const found: ParameterObject[] = [];
  if (contract.project) {
    const description = 'Project to work on; the default project unless named';
    found.push({
      name: 'X-Project-Id',
      in: 'header',
      required: false,
      description,
      schema: { type: 'string' },
    });
  }
  if (contract.errors.includes(412)) {
    const description = 'The `ETag` that the change is based on; 412 when the resource has changed since';
    found.push({ name: 'If-Match', in: 'header', required: false, description, schema: { type: 'string' } });
  }
  return found;
}

function describe(
  name: string,
  place: ParameterObject['in'],
  required: boolean,
  { description, ...schema }: SchemaObject,
): ParameterObject {
  const parameter: ParameterObject = { name, in: place, required, schema };
  return typeof description === 'string' ? { ...parameter, description } : parameter;
}

const withExample = (parameter: ParameterObject, example: unknown): ParameterObject =>
  example === undefined ? parameter : { ...parameter, example };
