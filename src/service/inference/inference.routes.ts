import { messageOf } from '../../kit/errors.ts';
import { eventStream } from '../../kit/http/event-stream.ts';
import type { Log } from '../../kit/log.ts';
import { type Route, route } from '../../kit/route.ts';
import { LlmError } from '../../platform/llm/llm.ts';
import type { Llms } from '../../platform/llm/llms.ts';
import { getLiveness, getReadiness } from '../operations/health.contract.ts';
import { gpuAvailable } from './gpu.ts';
import {
  chatWithModel,
  embedTexts,
  getAiHealth,
  listModelNames,
  reportModelPressure,
} from './inference.contract.ts';
import type { Turns } from './turns.ts';
import { fromWireAddress, fromWireRequest, toWireFailure, toWireVector } from './wire.ts';

export interface InferenceOptions {
  llms: Llms;
  turns: Turns;
  isCloud: boolean;
  log: Log;
}

/** Calls of the port to models, for cores elsewhere. */
export function inferenceRoutes({ llms, turns, isCloud, log }: InferenceOptions): Route[] {
  const llmFor = ({ entered }: { entered: boolean }) => (entered ? llms.entered : llms.installation);

  async function inTurn<Result>(signal: AbortSignal, work: () => Promise<Result>): Promise<Result> {
    const release = await turns.take(signal);
    return work().finally(release);
  }

  return [
    route(getAiHealth, async () => ({
      status: 'healthy' as const,
      cloud_mode: isCloud,
      gpu_available: await gpuAvailable(),
    })),

    route(getLiveness, () => ({ status: 'alive' as const })),
    // It needs nothing of its own: providers differ from request to request.
    route(getReadiness, () => ({ status: 'ready' as const })),

    route(chatWithModel, ({ body }) =>
      eventStream(
        (send, signal) =>
          inTurn(signal, async () => {
            const address = fromWireAddress(body.address);
            const request = fromWireRequest(body.request);
            for await (const { type, ...event } of llmFor(body).chat(address, request, signal))
              await send(type, event);
          }).catch(async (error: unknown) => {
            if (!(error instanceof LlmError)) throw error;
            await send('failure', toWireFailure(error));
          }),
        { onFailure: (error) => log.error(`a chat failed: ${messageOf(error)}`) },
      ),
    ),

    route(embedTexts, async ({ body, callerGone }) => {
      const signal = callerGone();
      const ask = () => llmFor(body).embed(fromWireAddress(body.address), body.texts, signal);
      return inTurn(signal, ask).then(
        ({ vectors, usage }) => ({
          vectors: vectors.map(toWireVector),
          input_tokens: usage.inputTokens,
        }),
        (error: unknown) => ({ ...failed(error), vectors: [], input_tokens: 0 }),
      );
    }),

    route(listModelNames, async ({ body, callerGone }) =>
      llmFor(body)
        .models(fromWireAddress(body.address), callerGone())
        .then(
          (models) => ({ models }),
          (error: unknown) => ({ ...failed(error), models: [] }),
        ),
    ),

    route(reportModelPressure, ({ body }) => turns.lower(body.level, body.duration_seconds)),
  ];
}

function failed(error: unknown) {
  if (!(error instanceof LlmError)) throw error;
  return { failure: toWireFailure(error) };
}
