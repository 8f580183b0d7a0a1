import { once } from 'node:events';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { Random } from '../replica/random.ts';

/** One project's connection to the cloud. */
export interface WireOptions {
  random: Random;
  /** Changes a request's body. */
  rewrite?: (path: string, body: Buffer) => Buffer;
  /** Reports events, with their sender. */
  tell(who: string, what: string, details: object): void;
}

type Message = () => Promise<Answer>;

interface Wire extends WireOptions {
  /** Share of requests that are lost, answered in vain, sent twice, or late. */
  faults: number;
  late: Message[];
  delivering: Set<Promise<unknown>>;
}

interface Answer {
  status: number;
  body: Buffer;
}

/** Loses, repeats, delays and reorders some requests, and loses some replies. */
export function startLossyProxy(target: (path: string) => string | null) {
  const wires = new Map<string, Wire>();
  const agent = new http.Agent({ keepAlive: true });
  const servers: http.Server[] = [];
  let messages = 0;

  const send = ({ method, url = '', headers }: http.IncomingMessage, body: Buffer): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const base = target(url);
      if (base === null) throw new Error('there is no service');
      const options = { method, headers: { ...headers, 'content-length': body.length }, agent };
      const onward = http.request(new URL(url, base), options, (answer) =>
        buffer(answer).then((bytes) => resolve({ status: answer.statusCode ?? 502, body: bytes }), reject),
      );
      onward.on('error', reject);
      onward.end(body);
    });

  function deliverLate({ late, delivering }: Wire, at: number): void {
    const [message] = late.splice(at, 1);
    if (message === undefined) return;
    const delivery = message()
      .catch(() => {})
      .finally(() => delivering.delete(delivery));
    delivering.add(delivery);
  }

  /** Null if nothing comes back. */
  async function pass(wire: Wire, message: Message, tell: (what: string) => void): Promise<Answer | null> {
    const { random } = wire;
    const happens = () => random.chance(wire.faults / 4);
    if (wire.late.length > 0 && random.chance(0.5)) deliverLate(wire, random.integer(wire.late.length));
    if (happens()) {
      tell('comes late');
      wire.late.push(message);
      return null;
    }
    if (happens()) {
      tell('is lost');
      return null;
    }
    if (happens()) {
      tell('comes twice');
      await message();
    }
    const answer = await message();
    if (!happens()) return answer;
    tell('is answered in vain');
    return null;
  }

  /** A message whose fates are reported under its number. */
  function noted(wire: Wire, who: string, request: http.IncomingMessage, body: Buffer) {
    messages += 1;
    const name = `message ${messages}`;
    const tell = (what: string, details: object = {}) => wire.tell(who, `${name} ${what}`, details);
    tell('is sent', { method: request.method, url: request.url, body: shown(body) });
    const message: Message = async () => {
      const answer = await send(request, body);
      tell('arrived', { status: answer.status, body: shown(answer.body) });
      return answer;
    };
    return pass(wire, message, tell);
  }

  async function passOn(
    who: string,
    request: http.IncomingMessage,
    response: http.ServerResponse,
  ): Promise<void> {
    try {
      const wire = wires.get(String(request.headers['x-project-id']));
      const given = await buffer(request);
      const body = wire?.rewrite?.(request.url ?? '', given) ?? given;
      const answer = await (wire ? noted(wire, who, request, body) : send(request, body));
      if (answer === null) return void request.socket.destroy();
      const { length } = answer.body;
      response.writeHead(answer.status, { 'content-type': 'application/json', 'content-length': length });
      response.end(answer.body);
    } catch {
      request.socket.destroy();
    }
  }

  return {
    /** Each sender has its own address, by which the proxy knows it. */
    async urlFor(who: string): Promise<string> {
      const server = http.createServer((request, response) => passOn(who, request, response));
      servers.push(server);
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
    },
    open(project: string, options: WireOptions) {
      const wire: Wire = { ...options, faults: 0, late: [], delivering: new Set() };
      wires.set(project, wire);
      return {
        /** From now on. */
        lose(faults: number): void {
          wire.faults = faults;
        },
        /** Nothing is lost any more; resolves once everything late has arrived. */
        async calm(): Promise<void> {
          wire.faults = 0;
          while (wire.late.length > 0) deliverLate(wire, 0);
          await Promise.all(wire.delivering);
        },
        close: () => void wires.delete(project),
      };
    },
    close() {
      agent.destroy();
      for (const server of servers) {
        server.closeAllConnections();
        server.close();
      }
    },
  };
}

export type LossyProxy = ReturnType<typeof startLossyProxy>;

function shown(body: Buffer): unknown {
  try {
    return JSON.parse(body.toString());
  } catch {
    return `${body.length} bytes`;
  }
}
