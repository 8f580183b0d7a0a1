export class BodyTooLarge extends Error {}

/** Rejects with `BodyTooLarge` at the limit, and as the stream does if it breaks off. */
export async function readBounded(
  body: AsyncIterable<Uint8Array> | null,
  mostBytes: number,
): Promise<Buffer<ArrayBuffer> | null> {
  if (body === null) return null;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of body) {
    size += chunk.byteLength;
    if (size > mostBytes) throw new BodyTooLarge(`the answer has more than ${mostBytes} bytes`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
