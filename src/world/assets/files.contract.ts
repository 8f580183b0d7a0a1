import { Type } from 'typebox';
import { binaryReply, contract } from '../../kit/contract.ts';

export const getFile = contract('GET /api/files/{path}', {
  name: 'getFile',
  auth: 'none',
  signed: true,
  project: true,
  tag: 'Assets',
  summary: "An asset's bytes",
  description:
    'Assets alone: no markdown, templates, rules, hidden files, or folders that begin with `_`. One range of bytes is sent where one is asked for, and 304 to who names the present ETag. What could run as code in a browser, SVG and HTML among it, is handed over as a download in a sandbox.',
  params: Type.Object({ path: Type.String({ minLength: 1, maxLength: 1_000 }) }),
  query: Type.Object({
    v: Type.Optional(
      Type.String({
        maxLength: 64,
        description: "The file's SHA-256 or its beginning: with it, the answer may be kept for ever",
      }),
    ),
  }),
  replyType: 'application/octet-stream',
  reply: binaryReply,
  errors: [404, 416],
  example: { params: { path: 'Characters/mira_vale/images/portrait.png' } },
});
