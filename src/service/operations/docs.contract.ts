import { Type } from 'typebox';
import { type Contract, contract } from '../../kit/contract.ts';

const open = { method: 'GET', auth: 'none', tag: 'Documentation' } satisfies Partial<Contract>;
const page = { ...open, replyType: 'text/html', reply: Type.String() };
const file = {
  ...open,
  replyType: '*/*',
  params: Type.Object({ path: Type.String({ maxLength: 100 }) }),
  reply: Type.String(),
  errors: [404],
};

export const getRoot = contract({
  ...open,
  name: 'getRoot',
  path: '/',
  summary: 'Leads a browser to the page to try the API on',
  replyType: 'text/html',
  status: 302,
  reply: Type.String(),
});

export const getDocs = contract({
  ...page,
  name: 'getDocs',
  path: '/docs',
  summary: 'Page to try the API on',
});

export const getDocsFile = contract({
  ...file,
  name: 'getDocsFile',
  path: '/docs/{path}',
  summary: 'A file of that page',
  example: { params: { path: 'init.js' } },
});

export const getRedoc = contract({
  ...page,
  name: 'getRedoc',
  path: '/redoc',
  summary: 'Page to read about the API',
});

export const getRedocFile = contract({
  ...file,
  name: 'getRedocFile',
  path: '/redoc/{path}',
  summary: 'A file of that page',
  example: { params: { path: 'init.js' } },
});

export const getOpenApi = contract({
  ...open,
  name: 'getOpenApi',
  path: '/openapi.json',
  summary: 'The OpenAPI 3.1 document',
  reply: Type.Object({
    openapi: Type.Literal('3.1.0'),
    info: Type.Object({ title: Type.String(), version: Type.String() }),
    paths: Type.Record(Type.String(), Type.Unknown()),
  }),
});
