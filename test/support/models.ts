interface Node {
  name: string;
  properties?: Buffer[];
  children?: Node[];
}

const text = (value: string): Buffer => {
  const head = Buffer.alloc(5);
  head.write('S');
  head.writeUInt32LE(value.length, 1);
  return Buffer.concat([head, Buffer.from(value, 'latin1')]);
};

/** The values are left out; only the count matters. */
const numbers = (count: number): Buffer => {
  const head = Buffer.alloc(13);
  head.write('d');
  head.writeUInt32LE(count, 1);
  return head;
};

function write(node: Node, width: 4 | 8, start: number): Buffer {
  const properties = Buffer.concat(node.properties ?? []);
  const head = Buffer.alloc(3 * width + 1 + node.name.length);
  let end = start + head.length + properties.length;
  const children: Buffer[] = [];
  for (const child of node.children ?? []) {
    children.push(write(child, width, end));
    end += children.at(-1)?.length ?? 0;
  }
  if (children.length > 0) {
    children.push(Buffer.alloc(3 * width + 1));
    end += 3 * width + 1;
  }
  const fields = [end, node.properties?.length ?? 0, properties.length];
  for (const [index, value] of fields.entries()) head.writeUIntLE(value, index * width, 4);
  head.writeUInt8(node.name.length, 3 * width);
  head.write(node.name, 3 * width + 1, 'latin1');
  return Buffer.concat([head, properties, ...children]);
}

const geometry = (vertices: number, ...more: Node[]): Node => ({
  name: 'Geometry',
  children: [{ name: 'Vertices', properties: [numbers(vertices * 3)] }, ...more],
});
const mesh = (vertices: number): Node =>
  geometry(vertices, { name: 'PolygonVertexIndex', properties: [numbers(4)] });

/** Two meshes with 8 and 4 vertices, and a shape of one. */
export function fbx(version: number): Buffer {
  const width = version >= 7500 ? 8 : 4;
  const objects = ['Model', 'Model', 'Material', 'AnimationStack'].map((name) => ({ name }));
  const head = Buffer.alloc(27);
  head.write('Kaydara FBX Binary  \0\x1a\0', 'latin1');
  head.writeUInt32LE(version, 23);
  let file = head;
  for (const node of [
    { name: 'Creator', properties: [text('a test')] },
    { name: 'Objects', children: [mesh(8), ...objects, mesh(4), geometry(100)] },
  ])
    file = Buffer.concat([file, write(node, width, file.length)]);
  return Buffer.concat([file, Buffer.alloc(3 * width + 1)]);
}
