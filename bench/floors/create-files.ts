import { Agent, request } from 'node:http';

export interface NewFiles {
  /** In front of `/upload/drive/v3`. */
  url: string;
  token: string;
  folderId: string;
  /** Requests at once. */
  atOnce: number;
}

/** Creates files in one folder of a drive, one request each: no ids, no folders, no checks, nothing is noted. */
export async function createFiles(
  { url, token, folderId, atOnce }: NewFiles,
  count: number,
  textOf: (index: number) => string,
): Promise<void> {
  const agent = new Agent({ keepAlive: true, maxSockets: atOnce });
  const address = new URL('/upload/drive/v3/files?uploadType=multipart', url);
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'multipart/related; boundary=part' };
  const create = (index: number) => {
    const metadata = JSON.stringify({ name: `${index}.md`, parents: [folderId] });
    const body =
      `--part\r\nContent-Type: application/json\r\n\r\n${metadata}\r\n` +
      `--part\r\nContent-Type: text/markdown\r\n\r\n${textOf(index)}\r\n--part--\r\n`;
    return new Promise<void>((resolve, reject) => {
      const sent = request(address, { method: 'POST', agent, headers }, (reply) => {
        if (reply.statusCode !== 200) reject(new Error(`file ${index}: ${reply.statusCode}`));
        reply.resume().once('end', resolve);
      });
      sent.once('error', reject);
      sent.end(body);
    });
  };
  let next = 0;
  const sender = async () => {
    while (next < count) {
      next += 1;
      await create(next - 1);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, sender));
  agent.destroy();
}
