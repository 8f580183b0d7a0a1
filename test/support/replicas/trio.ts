import { startLiveCloud } from './live-cloud.ts';
import { type LiveNode, startLiveNode } from './live-node.ts';
import { startLossyProxy } from './lossy-proxy.ts';

/** A cloud and two installs as processes, with a lossy wire between them. */
export async function startTrio({ cores }: { cores: 1 | 2 }) {
  const hub = await (cores === 2 ? startLiveCloud('cloud') : startLiveNode('cloud'));
  const proxy = startLossyProxy(hub.url);
  const startInstall = async (name: string): Promise<LiveNode> =>
    startLiveNode(name, {
      CLOUD_URL: await proxy.urlFor(name),
      CLOUD_TOKEN: hub.key,
      ALLOW_PRIVATE_ENDPOINTS: 'true',
    });
  const installs: readonly LiveNode[] = await Promise.all(['install-1', 'install-2'].map(startInstall));
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
