import type { FrameHost } from '../../../domain/plugins/frame-host.ts';
import type { HostMessage } from '../../../domain/plugins/host-messages.ts';
import type { FrameSource } from './sandbox.ts';

type Send = (message: HostMessage) => void;

interface Connection {
  host: FrameHost;
  close: () => void;
}

/**
 * Ties a host to the window in a frame. Only what that window posts is heard, and only while it shows a page of the
 * origin that it should have.
 */
export function connectFrame(
  frame: () => HTMLIFrameElement | null,
  { origin, target }: Pick<FrameSource, 'origin' | 'target'>,
  makeHost: (send: Send) => FrameHost,
): Connection {
  const pageOf = () => frame()?.contentWindow ?? null;
  const host = makeHost((message) => pageOf()?.postMessage(message, target));
  const listen = (event: MessageEvent) => {
    const page = pageOf();
    if (page !== null && event.source === page && event.origin === origin) host.receive(event);
  };
  window.addEventListener('message', listen);
  return {
    host,
    close() {
      window.removeEventListener('message', listen);
      host.stop();
    },
  };
}
