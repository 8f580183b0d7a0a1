import { setTimeout as delay } from 'node:timers/promises';
import { isoTime } from '../../kit/clock.ts';
import { creditsDeducted } from '../../kit/credits.events.ts';
import { messageOf } from '../../kit/errors.ts';
import { unlessAborted } from '../../kit/unless-aborted.ts';
import type { HoldBytes } from '../../kit/work-budget.ts';
import type { Bus } from '../../platform/bus/bus.ts';
import { LlmError } from '../../platform/llm/llm.ts';
import type { Llms } from '../../platform/llm/llms.ts';
import { apiErrorOf } from './model-errors.ts';
import { createModelSession } from './model-session.ts';
import type { AiCaller, Models, Provider, Spending } from './models.ts';
import { freePurse, openPurse, type Purse, type PurseOptions } from './purse.ts';

export interface SpendOptions extends PurseOptions {
  llms: Llms;
  bus: Bus;
  /** Turns instead of bytes: one for each work. */
  holdTurn: HoldBytes;
  tokensPerCredit: number;
  /** How long a work waits for a turn; 20 seconds unless said. */
  patienceMs?: number | undefined;
}

const PATIENCE_MS = 20_000;
const SETTLE_AGAIN_MS = 500;

export const priceOf =
  (tokensPerCredit: number): Models['priceOf'] =>
  ({ costsCredits }, tokens) =>
    costsCredits ? Math.ceil(tokens / tokensPerCredit) : 0;

export const llmOf = ({ installation, entered }: Llms, { scope }: Provider) =>
  scope === 'installation' ? installation : entered;

/** The one way in which models are asked. */
export function createSpend(options: SpendOptions): Models['spend'] {
  const { llms, bus, clock, log, tokensPerCredit } = options;
  const price = priceOf(tokensPerCredit);

  async function settle(caller: AiCaller, spending: Spending, purse: Purse, amount: number) {
    const { operation } = spending;
    // An amount that was settled, but whose reply was lost, is settled once.
    const again = async () => {
      await delay(SETTLE_AGAIN_MS);
      return purse.settle(amount);
    };
    const { charged, remaining } = await purse.settle(amount).catch(again);
    spending.onCharged?.(charged);
    if (charged > 0)
      bus.publish(caller, creditsDeducted, {
        amount: charged,
        remaining,
        operation: operation.kind,
        timestamp: isoTime(clock.now()),
      });
    return charged;
  }

  return async (caller, spending, work) => {
    const { provider, mostTokens, signal } = spending;
    signal.throwIfAborted();
    const session = createModelSession(llmOf(llms, provider), spending);
    const most = price(provider, mostTokens);
    const purse = provider.costsCredits ? await openPurse(caller, spending, most, options) : freePurse;
    const settled = () => {
      const { inputTokens, outputTokens } = session.used();
      return settle(caller, spending, purse, price(provider, inputTokens + outputTokens));
    };
    try {
      const result = await inTurn(options, caller, signal, () => work(session));
      return { result, usage: session.used(), credits: await settled() };
    } catch (error) {
      await settled().catch((reason: unknown) =>
        log.error(`${spending.operation.kind} was not settled: ${messageOf(reason)}`),
      );
      if (provider.isOperators && error instanceof LlmError)
        log.warn(`${provider.name}: ${spending.operation.kind} failed: ${error.message}`);
      throw apiErrorOf(error, provider);
    }
  };
}

async function inTurn<Result>(
  { holdTurn, patienceMs = PATIENCE_MS }: Pick<SpendOptions, 'holdTurn' | 'patienceMs'>,
  { tenantId }: AiCaller,
  signal: AbortSignal,
  work: () => Promise<Result>,
): Promise<Result> {
  const turn = holdTurn(tenantId, 1, { waitMs: patienceMs });
  const release = await unlessAborted(signal, turn).catch((error: unknown) => {
    // A caller who went while waiting gives the turn back.
    void turn.then((unused) => unused()).catch(() => {});
    throw error;
  });
  try {
    return await work();
  } finally {
    release();
  }
}
