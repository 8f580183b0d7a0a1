import { WebSocket } from 'ws';
import type { OpenCloudSocket } from '../exchange/desktop/index.ts';
import { messageOf } from '../kit/errors.ts';
import { createOutgoing, type PrivateEndpoints } from '../platform/outgoing/outgoing.ts';

const ANSWER_MS = 10_000;
/** A cloud pings every 20 seconds; after this silence the connection counts as lost. */
const SILENCE_MS = 60_000;
/** Milliseconds that a cloud has to answer the closing handshake. */
const GOODBYE_MS = 1_000;
const LONGEST_MESSAGE = 1024 * 1024;

/** Opens WebSockets to clouds through the same agents as all other requests to them. */
export function cloudSocketOpener(privateEndpoints: PrivateEndpoints): OpenCloudSocket {
  const { httpAgent, httpsAgent } = createOutgoing({ privateEndpoints });
  return ({ url, token, projectId, cursor, onMessage, onClose }) => {
    const address = new URL(`${url}/api/ws`);
    const isSecure = address.protocol === 'https:';
    address.protocol = isSecure ? 'wss:' : 'ws:';
    address.search = String(
      new URLSearchParams({ client: 'desktop', project_id: projectId, cursor: cursor ?? '' }),
    );
    const socket = new WebSocket(address, {
      agent: isSecure ? httpsAgent : httpAgent,
      headers: { authorization: `Bearer ${token}` },
      handshakeTimeout: ANSWER_MS,
      maxPayload: LONGEST_MESSAGE,
      perMessageDeflate: false,
    });
    let failure: string | null = null;
    let silence: NodeJS.Timeout | undefined;
    const heard = () => {
      clearTimeout(silence);
      silence = setTimeout(() => {
        failure = 'the cloud fell silent';
        socket.terminate();
      }, SILENCE_MS).unref();
    };
    socket.on('open', heard);
    socket.on('ping', heard);
    socket.on('message', (data) => {
      heard();
      onMessage(String(data));
    });
    socket.on('error', (error) => {
      failure ??= `the cloud cannot be reached (${messageOf(error)})`;
    });
    socket.on('close', (code, reason) => {
      clearTimeout(silence);
      onClose(failure ?? (String(reason) || `the cloud ended the connection (${code})`));
    });
    return {
      send(text) {
        if (socket.readyState === WebSocket.OPEN) socket.send(text);
      },
      close() {
        socket.close();
        setTimeout(() => socket.terminate(), GOODBYE_MS).unref();
      },
    };
  };
}
