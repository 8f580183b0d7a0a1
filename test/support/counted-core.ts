import type { Credits } from '../../src/access/credits.ts';
import { answerText } from '../../src/world/models/index.ts';
import { startCore } from './core.ts';

/** A question of a counted core to its parent, which keeps the ledger. */
export interface LedgerCall {
  id: number;
  name: keyof Credits;
  given: unknown[];
}
export interface LedgerReply {
  id: number;
  reply: unknown;
}

const waiting = new Map<number, (reply: unknown) => void>();
process.on('message', ({ id, reply }: LedgerReply) => waiting.get(id)?.(reply));

let calls = 0;
const asked =
  (name: keyof Credits) =>
  (...given: unknown[]): Promise<never> =>
    new Promise((resolve) => {
      const id = calls++;
      waiting.set(id, (reply) => resolve(reply as never));
      process.send?.({ id, name, given } satisfies LedgerCall);
    });

/** Run as a program: a core whose parent keeps the ledger asks a model once, and tells what it was charged. */
const [operationId = ''] = process.argv.slice(2);
const { models } = await startCore({
  models: { credits: { reserve: asked('reserve'), settle: asked('settle'), release: asked('release') } },
  env: {
    AI_BASE_URL: process.env.AI_BASE_URL ?? '',
    AI_MODEL: 'scripted-1',
  },
});
const caller = { tenantId: 'one', projectId: 'default', userId: 'mira', plan: 'enterprise' } as const;
const spending = {
  provider: await models.pick(caller),
  operation: { id: operationId, kind: 'ai_generate' },
  mostTokens: 5_000,
  signal: new AbortController().signal,
};
const messages = [{ role: 'user' as const, content: 'Who is Mira?' }];
const { credits } = await models.spend(caller, spending, (session) =>
  answerText(session, { messages, maxOutputTokens: 100 }),
);
process.stdout.write(`charged ${credits}\n`, () => process.exit());
