import { conflict } from '../../kit/errors.ts';
import { newId } from '../../kit/ids.ts';
import type { Embedder } from '../../platform/embedder/embedder.ts';
import { estimateTokens } from '../../text/tokens.ts';
import type { AiCaller, Models, Provider } from '../models/index.ts';
import type { EmbeddingIndexRow } from './embeddings.tables.ts';

export interface EmbedOrder {
  texts: readonly string[];
  /** Pays, if the model costs anything. */
  caller: AiCaller;
  /** Somebody waits for it. */
  urgent: boolean;
  signal: AbortSignal;
}

/** Turns texts into vectors, with the model that a project has chosen. */
export interface VectorSource {
  /** Vectors of sources with different names cannot be compared. */
  model: string;
  costsCredits: boolean;
  embed(order: EmbedOrder): Promise<Float32Array[]>;
}

interface Dependencies {
  embedder: Embedder;
  models: Models;
}

/** Providers limit the length of a request; a batch of this size takes a second or two. */
const TEXTS_AT_ONCE = 64;
/** Estimates are no exact count. */
const MARGIN = 1.5;

const aiOff = () =>
  conflict(
    'AI is switched off in this installation, and with it comparing texts by meaning. Search by words works as always',
    { code: 'ai_off' },
  );

const switchedOff = () =>
  conflict(
    'Comparing texts by meaning is switched off in this project: an admin switches it on with PUT /api/ai/embeddings',
    { code: 'embeddings_off' },
  );

const noProvider = (name: string) =>
  conflict(
    `The provider '${name}' is gone, or has no model for embeddings: an admin chooses another with PUT /api/ai/embeddings`,
    { code: 'embeddings_unavailable' },
  );

export function createVectorSources({ embedder, models }: Dependencies) {
  const local: VectorSource = {
    model: embedder.model,
    costsCredits: false,
    embed: ({ texts, urgent, signal }) => embedder.embed(texts, { urgent, signal }),
  };

  const fromProvider = (provider: Provider): VectorSource => ({
    model: `${provider.name}/${provider.embeddingModel}`,
    costsCredits: provider.costsCredits,
    async embed({ texts, caller, signal }) {
      const vectors: Float32Array[] = [];
      for (let from = 0; from < texts.length; from += TEXTS_AT_ONCE) {
        const part = texts.slice(from, from + TEXTS_AT_ONCE);
        const tokens = part.reduce((sum, text) => sum + estimateTokens(text), 0);
        const spending = {
          provider,
          operation: { id: newId(), kind: 'ai_embeddings' },
          mostTokens: Math.ceil(tokens * MARGIN) + part.length,
          signal,
        };
        const { result } = await models.spend(caller, spending, (session) => session.embed(part));
        vectors.push(...result.vectors);
      }
      return vectors;
    },
  });

  /** Those that a whole project may use: a user's own provider answers that user alone. */
  async function providersFor(caller: AiCaller): Promise<Provider[]> {
    const all = await models.list(caller);
    return all.filter(({ scope, embeddingModel }) => scope !== 'user' && embeddingModel !== null);
  }

  return {
    providersFor,
    /** 409 `ai_off`. */
    async requireOn(caller: AiCaller): Promise<void> {
      if ((await models.state(caller)) === 'off') throw aiOff();
    },
    /** 409 if AI or embeddings are switched off, or the chosen provider is gone. */
    async sourceOf({ choice, provider }: EmbeddingIndexRow, caller: AiCaller): Promise<VectorSource> {
      if ((await models.state(caller)) === 'off') throw aiOff();
      if (choice === 'off') throw switchedOff();
      if (choice === 'local' || provider === null) return local;
      const chosen = (await providersFor(caller)).find(({ name }) => name === provider);
      if (chosen === undefined) throw noProvider(provider);
      return fromProvider(chosen);
    },
  };
}

/** For work in the background, in the name of the one who chose the model. */
export const callerFor = (index: EmbeddingIndexRow): AiCaller => ({
  tenantId: index.tenant_id,
  projectId: index.project_id,
  userId: index.chosen_by ?? '',
  plan: index.chosen_plan ?? 'free',
});

export type VectorSources = ReturnType<typeof createVectorSources>;
