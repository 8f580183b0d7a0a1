/** What is thrown for a body of more bytes than wanted. */
export class BodyTooLarge extends Error {}

/** Reads the body of an answer that somebody else gives; stops at the limit. Rejects as the stream does when it breaks off. */
export async function readBounded(
  body: ReadableStream<Uint8Array> | null,
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
