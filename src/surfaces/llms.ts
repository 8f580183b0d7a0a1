import type { Config } from '../kit/config/index.ts';
import type { LlmLimits } from '../platform/llm/limits.ts';
import type { Llm } from '../platform/llm/llm.ts';
import type { Llms } from '../platform/llm/llms.ts';
import type { Outgoing, PrivateEndpoints } from '../platform/outgoing/outgoing.ts';
import { createAiClient, pressureReporter } from '../remote/ai-client.ts';
import { privateEndpointsOf } from './blobs.ts';

type LlmConfig = Pick<
  Config,
  'deployment' | 'allowPrivateEndpoints' | 'aiLocalEndpoints' | 'aiTimeLimitMs' | 'aiFirstByteLimitMs'
>;

interface Way {
  outgoing: Outgoing;
  llm: Llm;
}

/** Asks models here, or by the AI surface where `AI_URL` names one. Addresses are checked here when they are entered. */
export function openLlms(
  config: LlmConfig & Pick<Config, 'aiUrl' | 'serviceToken'>,
  limits?: Partial<LlmLimits>,
): Llms {
  const here = openLocalLlms(config, limits);
  const { aiUrl: url, serviceToken } = config;
  if (url === null || serviceToken === null) return here;
  return {
    ...here,
    installation: createAiClient({ url, serviceToken, entered: false }),
    entered: createAiClient({ url, serviceToken, entered: true }),
    // In the cloud one tenant must not slow the others.
    ...(config.deployment !== 'cloud' && { reportPressure: pressureReporter({ url, serviceToken }) }),
  };
}

/** The ways to models from this process, each loaded when it is first used: most installations ask none. */
export function openLocalLlms(config: LlmConfig, limits: Partial<LlmLimits> = {}): Llms {
  const all = { totalMs: config.aiTimeLimitMs, firstByteMs: config.aiFirstByteLimitMs, ...limits };
  const installation = lazyWay('admitted', all);
  const entered = lazyWay(enteredEndpointsOf(config), all);
  return {
    installation: installation.llm,
    entered: entered.llm,
    refusalOf: async (url) => (await entered.opened()).outgoing.refusalOf(url),
    secureOnly: config.deployment === 'cloud',
    reportPressure: async () => {},
    close() {
      installation.close();
      entered.close();
    },
  };
}

/** Model servers often run beside the service, so this machine itself has a setting of its own. */
function enteredEndpointsOf(config: LlmConfig): PrivateEndpoints {
  const usual = privateEndpointsOf(config);
  return usual === 'on_request' && config.aiLocalEndpoints ? 'loopback' : usual;
}

function lazyWay(privateEndpoints: PrivateEndpoints, limits: Partial<LlmLimits>) {
  let opening: Promise<Way> | undefined;
  const opened = (): Promise<Way> => {
    opening ??= open(privateEndpoints, limits);
    return opening;
  };
  const llm: Llm = {
    async *chat(...given) {
      yield* (await opened()).llm.chat(...given);
    },
    embed: async (...given) => (await opened()).llm.embed(...given),
    models: async (...given) => (await opened()).llm.models(...given),
  };
  return { llm, opened, close: () => void opening?.then(({ outgoing }) => outgoing.close()) };
}

async function open(privateEndpoints: PrivateEndpoints, limits: Partial<LlmLimits>): Promise<Way> {
  const [{ createOutgoing }, { createResolve }, { createLibraryLlm }] = await Promise.all([
    import('../platform/outgoing/outgoing.ts'),
    import('../platform/outgoing/resolve.ts'),
    import('../platform/llm/adapters/library-llm.ts'),
  ]);
  const outgoing = createOutgoing({ privateEndpoints, resolve: createResolve() });
  return { outgoing, llm: createLibraryLlm({ outgoing, limits }) };
}
