import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

const chunk = (delta: object, finish: string | null = null): string =>
  `data: ${JSON.stringify({
    id: 'bench',
    object: 'chat.completion.chunk',
    created: 1,
    model: 'bench',
    choices: [{ index: 0, delta, finish_reason: finish }],
  })}\n\n`;

export interface BenchProvider {
  url: string;
  /** When the first words of the newest answer were written. */
  wroteAt(): number;
  open(): number;
  /** Ends all open answers. */
  finish(): void;
  close(): Promise<void>;
}

const ANSWER = '{"fields": {"want": "A key", "need": "Rest"}}';

/** Begins each answer and goes on when it is told to, or, with `pauseMs`, with a letter at a time. */
export async function startProvider(pauseMs: number | null): Promise<BenchProvider> {
  let wroteAt = 0;
  const waiting = new Set<ServerResponse>();
  const end = (response: ServerResponse, rest: string) => {
    waiting.delete(response);
    response.end(`${chunk({ content: rest })}${chunk({}, 'stop')}data: [DONE]\n\n`);
  };
  const server = createServer((request, response) => {
    request.resume().once('end', () => {
      response.writeHead(200, { 'content-type': 'text/event-stream' });
      wroteAt = performance.now();
      response.write(chunk({ role: 'assistant', content: ANSWER.slice(0, 1) }));
      waiting.add(response);
      response.once('close', () => waiting.delete(response));
      if (pauseMs === null) return;
      let at = 1;
      const timer = setInterval(() => {
        if (response.destroyed || at >= ANSWER.length - 1) {
          clearInterval(timer);
          if (!response.destroyed) end(response, ANSWER.slice(at));
        } else response.write(chunk({ content: ANSWER[at++] }));
      }, pauseMs);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`,
    wroteAt: () => wroteAt,
    open: () => waiting.size,
    finish: () => {
      for (const response of waiting) end(response, ANSWER.slice(1));
    },
    async close() {
      server.closeAllConnections();
      server.close();
    },
  };
}
