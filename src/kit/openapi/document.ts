import { type Contract, hasBody } from '../contract.ts';
import { type ParameterObject, parametersOf } from './parameters.ts';
import { ERROR_SCHEMA, errorResponses, errorStatuses, type Responses, responsesOf } from './responses.ts';
import { type Components, createComponents, type SchemaObject } from './schemas.ts';

export interface OperationObject {
  operationId: string;
  tags: string[];
  summary: string;
  description?: string;
  security: Record<string, string[]>[];
  parameters?: ParameterObject[];
  requestBody?: SchemaObject;
  responses: Responses;
}

export interface OpenApiDocument {
  openapi: '3.1.0';
  info: SchemaObject;
  servers: readonly { url: string; description?: string }[];
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, OperationObject>>;
  components: {
    securitySchemes: Record<string, SchemaObject>;
    schemas: Record<string, SchemaObject>;
    responses: Record<string, SchemaObject>;
  };
}

export interface DocumentOptions {
  contracts: readonly Contract[];
  title: string;
  version: string;
  description: string;
  servers: readonly { url: string; description?: string }[];
  /** What each tag is about, by the contracts' tags. */
  tags: Readonly<Record<string, string>>;
}

/** The OpenAPI 3.1 document of a list of contracts: plain data, ready to be written as JSON. */
export function openApiDocument(options: DocumentOptions): OpenApiDocument {
  const { contracts, title, version, description, servers } = options;
  const components = createComponents();
  const paths: OpenApiDocument['paths'] = {};
  for (const contract of contracts) {
    const methods = paths[contract.path] ?? {};
    methods[contract.method.toLowerCase()] = operationOf(contract, components);
    paths[contract.path] = methods;
  }
  return {
    openapi: '3.1.0',
    info: { title, version, description, license: { name: 'Apache License 2.0', identifier: 'Apache-2.0' } },
    servers,
    tags: tagsOf(contracts, options.tags),
    paths,
    components: {
      securitySchemes: {
        bearer: {
          type: 'http',
          scheme: 'bearer',
          bearerFormat: 'JWT',
          description: 'The access token of a login',
        },
      },
      schemas: { Error: ERROR_SCHEMA, ...components.schemas },
      responses: errorResponses(contracts.flatMap(errorStatuses)),
    },
  };
}

function operationOf(contract: Contract, components: Components): OperationObject {
  const description = descriptionOf(contract);
  const parameters = parametersOf(contract, components);
  return {
    operationId: contract.name,
    tags: [contract.tag],
    summary: contract.summary,
    ...(description && { description }),
    security: contract.auth === 'bearer' ? [{ bearer: [] }] : [],
    ...(parameters.length > 0 && { parameters }),
    ...(hasBody(contract) && { requestBody: requestBodyOf(contract, components) }),
    responses: responsesOf(contract, components),
  };
}

function descriptionOf(contract: Contract): string {
  const role = contract.role === 'viewer' ? '' : `Needs the role \`${contract.role}\` or above.`;
  return [contract.description ?? '', role].filter((part) => part !== '').join('\n\n');
}

function requestBodyOf(contract: Contract, components: Components): SchemaObject {
  const { body } = contract.example;
  const media = { schema: components.use(contract.body), ...(body !== undefined && { example: body }) };
  return { required: true, content: { 'application/json': media } };
}

/** In the order of their first use. */
function tagsOf(contracts: readonly Contract[], descriptions: Readonly<Record<string, string>>) {
  const names = [...new Set(contracts.map((contract) => contract.tag))];
  return names.map((name) => ({ name, description: descriptions[name] ?? '' }));
}
