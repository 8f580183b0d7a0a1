import type { TObject } from 'typebox';
import { type Contract, hasBody, type RawBody, takesFiles } from '../contract.ts';
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
  tags: Readonly<Record<string, string>>;
  accessCookie?: string | undefined;
}

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
          description: 'The access token of a login, or an API key',
        },
        ...schemesUsed(contracts, options.accessCookie),
      },
      schemas: { Error: ERROR_SCHEMA, ...components.schemas },
      responses: errorResponses(contracts.flatMap(errorStatuses)),
    },
  };
}

const schemesFor = (accessCookie: string): [Contract['auth'], SchemaObject][] => [
  [
    'cookie',
    {
      type: 'apiKey',
      in: 'cookie',
      name: accessCookie,
      description: "The cookies of a browser's session, which a web login sets",
    },
  ],
  ['service', { type: 'http', scheme: 'bearer', description: 'The shared secret of calls between surfaces' }],
  ['metrics', { type: 'http', scheme: 'bearer', description: 'The token of METRICS_TOKEN' }],
];

const schemesUsed = (
  contracts: readonly Contract[],
  accessCookie = 'canonry_access',
): Record<string, SchemaObject> =>
  Object.fromEntries(
    schemesFor(accessCookie).filter(([auth]) => contracts.some((contract) => contract.auth === auth)),
  );

function operationOf(contract: Contract, components: Components): OperationObject {
  const description = descriptionOf(contract);
  const parameters = parametersOf(contract, components);
  return {
    operationId: contract.name,
    tags: [contract.tag],
    summary: contract.summary,
    ...(description && { description }),
    security: securityOf(contract),
    ...(parameters.length > 0 && { parameters }),
    ...((hasBody(contract) || contract.stream) && { requestBody: requestBodyOf(contract, components) }),
    responses: responsesOf(contract, components),
  };
}

const BY_SCHEME: ReadonlySet<Contract['auth']> = new Set(['bearer', 'service', 'metrics', 'cookie']);

const securityOf = ({ auth }: Contract): OperationObject['security'] =>
  BY_SCHEME.has(auth) ? [{ [auth]: [] }] : [];

function descriptionOf(contract: Contract): string {
  const role = contract.role === 'viewer' ? '' : `Needs the role \`${contract.role}\` or above.`;
  const feature = contract.feature === null ? '' : `Needs a plan with \`${contract.feature}\`.`;
  const people = contract.peopleOnly ? 'Takes no API key: somebody must have signed in.' : '';
  return [contract.description ?? '', role, people, feature].filter((part) => part !== '').join('\n\n');
}

function requestBodyOf(contract: Contract, components: Components): SchemaObject {
  const { body } = contract.example;
  if (takesFiles(contract)) return formOf(contract, components);
  if (contract.stream) return streamOf(contract.stream);
  const media = { schema: components.use(contract.body), ...(body !== undefined && { example: body }) };
  return { required: true, content: { 'application/json': media } };
}

function streamOf({ mediaType, description }: RawBody): SchemaObject {
  const schema = { type: 'string', format: 'binary' };
  return { description, required: true, content: { [mediaType]: { schema } } };
}

function formOf(contract: Contract, components: Components): SchemaObject {
  const fields = contract.body as TObject;
  const files = Object.entries(contract.files);
  const required = [
    ...(fields.required ?? []),
    ...files.flatMap(([name, { optional }]) => (optional ? [] : [name])),
  ];
  const parts = files.map(([name, { description, maxBytes }]) => [
    name,
    { type: 'string', format: 'binary', description: `${description}; at most ${maxBytes} bytes` },
  ]);
  const schema = {
    type: 'object',
    ...(required.length > 0 && { required }),
    properties: { ...(components.use(fields).properties as object), ...Object.fromEntries(parts) },
  };
  return { required: true, content: { 'multipart/form-data': { schema } } };
}

/** In the order of their descriptions; tags without one come last. */
function tagsOf(contracts: readonly Contract[], descriptions: Readonly<Record<string, string>>) {
  const used = new Set(contracts.map((contract) => contract.tag));
  const described = Object.keys(descriptions).filter((name) => used.has(name));
  return [...new Set([...described, ...used])].map((name) => ({
    name,
    description: descriptions[name] ?? '',
  }));
}
