import { createServer, type IncomingMessage } from 'node:http';
import { openSaveFloor } from './save.ts';

/** The least server that saves as the floor does: no token, no check, no YAML, nothing shared between those who wait. */
const floor = openSaveFloor(process.argv[2] ?? '');

interface Save {
  entity_id?: string;
  fields: Record<string, unknown>;
  markdown_body?: string;
}

const textOf = (fields: Save['fields'], body: string): string =>
  `---\n${Object.entries(fields)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}\n`)
    .join('')}---\n${body}`;

async function bodyOf(request: IncomingMessage): Promise<Save> {
  let text = '';
  for await (const chunk of request.setEncoding('utf8')) text += chunk;
  return JSON.parse(text) as Save;
}

const server = createServer(async (request, response) => {
  const { entity_id: created, fields, markdown_body = '' } = await bodyOf(request);
  const id = created ?? request.url?.split('/').at(-1) ?? '';
  if (created === undefined) floor.update(id, floor.read(id).replace(/^want: .*$/m, `want: ${fields.want}`));
  else floor.create(id, textOf(fields, markdown_body));
  const text = JSON.stringify({ id });
  response.writeHead(200, {
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
  });
  response.end(text);
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  console.log(`listening on http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`);
});
process.once('SIGTERM', () => process.exit(0));
