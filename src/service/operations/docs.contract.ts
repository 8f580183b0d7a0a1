import { Type } from 'typebox';
import { type Contract, contract } from '../../kit/contract.ts';

const open = { auth: 'none', tag: 'Documentation' } satisfies Partial<Contract>;
const page = { ...open, replyType: 'text/html', reply: Type.String() };
const file = {
  ...open,
  replyType: '*/*',
  params: Type.Object({ path: Type.String({ maxLength: 100 }) }),
  reply: Type.String(),
  errors: [404],
};

export const getRoot = contract('GET /', {
  ...open,
  name: 'getRoot',
  summary: 'Leads a browser to the page to try the API on',
  replyType: 'text/html',
  status: 302,
  reply: Type.String(),
});

export const getDocs = contract('GET /docs', {
  ...page,
  name: 'getDocs',
  summary: 'Page to try the API on',
});

export const getDocsFile = contract('GET /docs/{path}', {
  ...file,
  name: 'getDocsFile',
  summary: 'A file of that page',
  example: { params: { path: 'init.js' } },
});

export const getRedoc = contract('GET /redoc', {
  ...page,
  name: 'getRedoc',
  summary: 'Page to read about the API',
});

export const getRedocFile = contract('GET /redoc/{path}', {
  ...file,
  name: 'getRedocFile',
  summary: 'A file of that page',
  example: { params: { path: 'init.js' } },
});

export const getOpenApi = contract('GET /openapi.json', {
  ...open,
  name: 'getOpenApi',
  summary: 'The OpenAPI 3.1 document',
  reply: Type.Object({
    openapi: Type.Literal('3.1.0'),
    info: Type.Object({ title: Type.String(), version: Type.String() }),
    paths: Type.Record(Type.String(), Type.Unknown()),
  }),
});
