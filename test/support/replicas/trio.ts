import { startLiveCloud } from './live-cloud.ts';
import { type LiveNode, startLiveNode } from './live-node.ts';
import { startLossyProxy } from './lossy-proxy.ts';

/** A cloud and two installs of it as processes, with a wire between that loses, repeats and delays. */
export async function startTrio({ cores }: { cores: 1 | 2 }) {
  const hub = await (cores === 2 ? startLiveCloud() : startLiveNode());
  const proxy = await startLossyProxy(hub.url);
  const env = { CLOUD_URL: proxy.url, CLOUD_TOKEN: hub.key, ALLOW_PRIVATE_ENDPOINTS: 'true' };
  const installs: readonly LiveNode[] = await Promise.all([startLiveNode(env), startLiveNode(env)]);
  const nodes: readonly LiveNode[] = [hub, ...installs];
  return {
    hub,
    proxy,
    installs,
    nodes,
    async close(): Promise<void> {
      proxy.close();
      await Promise.all(nodes.map((node) => node.close()));
    },
  };
}

export type Trio = Awaited<ReturnType<typeof startTrio>>;
