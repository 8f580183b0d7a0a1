import { HttpError } from '../../kit/errors.ts';
import type { SendEvent } from '../../kit/http/event-stream.ts';
import { estimateInput } from '../../platform/llm/estimate-usage.ts';
import type { Entities } from '../entities/index.ts';
import type { AiCaller, Models } from '../models/index.ts';
import type { Project } from '../records/index.ts';
import type { createAskModel, ModelQuestion } from './ask-model.ts';
import type { ChatAnswer, ChatBody, ChatPreview } from './chat.contract.ts';
import { readLines } from './entity-lines.ts';
import type { Find } from './finding.ts';
import { firstRequest } from './first-request.ts';
import { LIMITS } from './limits.ts';
import { type OfflineReason, offlineAnswer } from './offline-answer.ts';
import { createShownLines } from './shown-lines.ts';
import type { ProposeUse } from './tools/propose.tool.ts';
import type { Tool } from './tools/tool.ts';

export interface Rights {
  mayUseAi: boolean;
  mayPropose: boolean;
}

export interface Asker extends Rights {
  caller: AiCaller;
}

/** A question whose answer can begin. */
export interface Prepared {
  project: Project;
  question: ChatBody;
  /** The model that is asked, or the reason why none is. */
  asked: ModelQuestion | OfflineReason;
}

export interface ChatOptions {
  entities: Pick<Entities, 'findRow'>;
  find: Find;
  models: Models;
  askModel: ReturnType<typeof createAskModel>;
  /** The last ones need the right to propose. */
  tools: { reading: readonly Tool[]; proposing: readonly Tool<ProposeUse>[] };
}

const ENTITIES = 5;
const NOBODY = 'so nobody else was asked.';
const REASONS: Readonly<Record<'off' | 'not_configured' | 'not_permitted', OfflineReason>> = {
  off: { code: 'ai_off', detail: `AI is turned off (setting AI), ${NOBODY}` },
  not_configured: { code: 'ai_not_configured', detail: `No AI provider is configured, ${NOBODY}` },
  not_permitted: { code: 'ai_not_permitted', detail: `Using AI needs the role editor or above, ${NOBODY}` },
};

const isModel = (asked: Prepared['asked']): asked is ModelQuestion => 'provider' in asked;

export function createChat({ entities, find, models, askModel, tools }: ChatOptions) {
  async function reasonFor({ mayUseAi, caller }: Asker): Promise<OfflineReason | null> {
    if (!mayUseAi) return REASONS.not_permitted;
    const state = await models.state(caller);
    return state === 'ready' ? null : REASONS[state];
  }

  async function fromSearch({ project, question }: Prepared, reason: OfflineReason, send: SendEvent) {
    const finding = await find(project, question.message, question.limit ?? ENTITIES);
    const answer = offlineAnswer(finding, reason);
    await send('delta', { text: answer.message.content });
    return answer;
  }

  return {
    /** 404 for an unknown provider or entity. */
    async prepare(project: Project, asker: Asker, question: ChatBody): Promise<Prepared> {
      const { caller, mayPropose } = asker;
      const about = question.context ? await readLines(entities, project, question.context) : null;
      const reason = await reasonFor(asker);
      if (reason !== null) return { project, question, asked: reason };
      const provider = await models.pick(caller, question.provider);
      const allowed = mayPropose ? [...tools.reading, ...tools.proposing] : tools.reading;
      const shown = createShownLines();
      const described = allowed.map(({ description }) => description);
      const first = firstRequest({ provider, question, about, tools: described, mayPropose, shown });
      const { message } = question;
      return {
        project,
        question,
        asked: { project, caller, message, provider, tools: allowed, shown, first },
      };
    },

    /** Asks nobody. */
    preview({ asked }: Prepared): ChatPreview {
      if (!isModel(asked)) return { ...NO_PREVIEW, reason: asked };
      const { provider, first } = asked;
      const tokens = estimateInput(first);
      return {
        dry_run: true,
        offline: false,
        reason: null,
        provider: provider.name,
        model: provider.address.model,
        messages: [...first.messages],
        tools: [...(first.tools ?? [])],
        max_output_tokens: first.maxOutputTokens,
        tokens,
        price: {
          first_request: models.priceOf(provider, tokens + first.maxOutputTokens),
          most: models.priceOf(provider, LIMITS.tokens),
        },
      };
    },

    async answer(prepared: Prepared, send: SendEvent, signal: AbortSignal): Promise<ChatAnswer> {
      const { asked } = prepared;
      if (!isModel(asked)) return fromSearch(prepared, asked, send);
      let isHeard = false;
      const hear: SendEvent = (event, data) => {
        isHeard ||= event !== 'context';
        return send(event, data);
      };
      try {
        return await askModel(asked, hear, signal);
      } catch (error) {
        if (signal.aborted || isHeard || !isOfProvider(error)) throw error;
        const detail = `The provider '${asked.provider.name}' failed (${error.message}), so the answer comes from search.`;
        return fromSearch(prepared, { code: 'provider_failed', detail }, send);
      }
    },
  };
}

export type Chat = ReturnType<typeof createChat>;

/** As `models.spend` tells of a provider that fails. */
const isOfProvider = (error: unknown): error is HttpError =>
  error instanceof HttpError && error.extras.code?.startsWith('ai_') === true;

const NO_PREVIEW = {
  dry_run: true,
  offline: true,
  provider: null,
  model: null,
  messages: [],
  tools: [],
  max_output_tokens: 0,
  tokens: 0,
  price: { first_request: 0, most: 0 },
} as const satisfies Partial<ChatPreview>;
