import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { Answer, LlmRequest } from '../../../test/support/llm/answer.ts';
import { type LlmServer, startLlmServer } from '../../../test/support/llm/server.ts';
import { until } from '../../../test/support/until.ts';
import { DIALECTS, type Dialect } from '../../kit/model-dialects.ts';
import { type ChatEvent, type ChatRequest, type Llm, LlmError, type LlmFailure } from './llm.ts';

/** With the limits below, so that the tests are quick. */
export type MakeLlm = () => Promise<{ llm: Llm; close(): Promise<void> }>;

export const QUICK_LIMITS = {
  firstByteMs: 1_000,
  silenceMs: 1_000,
  totalMs: 2_500,
  answerBytes: 4 * 1024 * 1024,
  repeatMs: 1,
  retryAfterMs: 1_100,
  schemaDeclinedMs: 60_000,
};

const NEVER = new AbortController().signal;
const request = (over: Partial<ChatRequest> = {}): ChatRequest => ({
  messages: [
    { role: 'system', content: 'You are brief.' },
    { role: 'user', content: 'Who is Mira? Ümläute, 漢字 and 🜁.' },
  ],
  maxOutputTokens: 100,
  ...over,
});

async function all(answer: AsyncIterable<ChatEvent>): Promise<ChatEvent[]> {
  const events: ChatEvent[] = [];
  for await (const event of answer) events.push(event);
  return events;
}

const textOf = (events: readonly ChatEvent[]): string =>
  events.map((event) => (event.type === 'delta' ? event.text : '')).join('');
const callsOf = (events: readonly ChatEvent[]) =>
  events.flatMap((event) => (event.type === 'call' ? [event.call] : []));
const endOf = (events: readonly ChatEvent[]) => {
  const end = events.at(-1);
  return end?.type === 'end' ? end : assert.fail('the last event is no end');
};

export function llmConformance(make: MakeLlm): void {
  let server: LlmServer;
  let made: Awaited<ReturnType<MakeLlm>>;
  before(async () => {
    server = await startLlmServer();
    made = await make();
  });
  beforeEach(() => {
    server.requests.length = 0;
    server.key = null;
  });
  after(async () => {
    await made.close();
    await server.close();
  });

  for (const dialect of DIALECTS) describe(dialect, () => chatTests(dialect));

  function chatTests(dialect: Dialect): void {
    const collect = async (answer: Answer | readonly Answer[], over: Partial<ChatRequest> = {}) => {
      server.script(answer);
      return all(made.llm.chat(server.address(dialect), request(over), NEVER));
    };
    const refused = async (answer: Answer | readonly Answer[], failure: LlmFailure): Promise<LlmError> => {
      const error = await collect(answer).then(
        () => assert.fail(`${failure} was expected`),
        (reason: unknown) => reason,
      );
      assert.ok(error instanceof LlmError, String(error));
      assert.equal(error.failure, failure, error.message);
      assert.ok(!error.message.includes('sk-scripted'), error.message);
      return error;
    };

    test('a text comes in pieces and ends with what it took', async () => {
      const events = await collect({ text: 'She is a smuggler.', usage: { input: 21, output: 9 } });
      assert.equal(textOf(events), 'She is a smuggler.');
      assert.ok(events.length > 3, 'it is a stream');
      assert.deepEqual(endOf(events), {
        type: 'end',
        reason: 'stop',
        usage: { inputTokens: 21, outputTokens: 9 },
      });
    });

    test('what is asked arrives, with the key, and nothing else is asked', async () => {
      await collect({});
      const [only, ...others] = server.requests;
      assert.equal(others.length, 0);
      const sent = JSON.stringify(only?.body);
      for (const text of ['You are brief.', 'Who is Mira? Ümläute, 漢字 and 🜁.', 'scripted-1'])
        assert.ok(sent.includes(text), text);
      const { headers = {} } = only ?? {};
      assert.ok([headers['x-api-key'], headers.authorization].join().includes('sk-scripted-0123456789'));
    });

    test('chunks may end inside letters and lines', async () => {
      const text = 'Ümläute, 漢字, 🜁🜂 – “quoted”\nand a second line.';
      assert.equal(textOf(await collect({ text, chunks: 'odd', pieces: 9 })), text);
    });

    test('what a model thinks is not its answer', async () => {
      const events = await collect({ thinking: 'The user wants a name.', text: 'Mira.' });
      assert.equal(textOf(events), 'Mira.');
    });

    test('usage that the provider does not tell is estimated', async () => {
      const { usage } = endOf(await collect({ text: 'A few words are here.', usage: null }));
      assert.ok(usage.inputTokens > 10 && usage.inputTokens < 100, String(usage.inputTokens));
      assert.ok(usage.outputTokens > 2 && usage.outputTokens < 20, String(usage.outputTokens));
    });

    test('an answer that reached its limit, or was held back, says so', async () => {
      assert.equal(endOf(await collect({ text: 'Half', reason: 'length' })).reason, 'length');
      assert.equal(endOf(await collect({ text: '', reason: 'filtered' })).reason, 'filtered');
    });

    test('a schema is sent, and the JSON comes as text, also if it is wrong or cut', async () => {
      const schema = { type: 'object', properties: { role: { type: 'string' } }, required: ['role'] };
      for (const text of ['{"role":"smuggler"}', '{"rank":7}', '{"role":"smug']) {
        const events = await collect({ text, reason: text.endsWith('}') ? 'stop' : 'length' }, { schema });
        assert.equal(textOf(events), text);
        assert.deepEqual(callsOf(events), []);
      }
      assert.ok(server.requests.every(({ body }) => JSON.stringify(body).includes('"role"')));
    });

    test('a provider that declines a schema is asked without it, and remembered', async () => {
      const schema = { type: 'object', properties: { role: { type: 'string' } } };
      const messages = [{ role: 'user' as const, content: 'The role, as JSON.' }];
      const hasSchema = ({ body }: LlmRequest) => JSON.stringify(body).includes('"role":{"type"');
      const refusals = [
        { status: 400, message: "'response_format.type' must be 'text'" },
        { status: 404, message: 'The model does not support response_format' },
        { status: 500, message: 'failed to parse grammar' },
        { status: 422, message: 'Unknown field' },
      ];
      for (const [at, refuse] of refusals.entries()) {
        server.requests.length = 0;
        server.script((asked) => (hasSchema(asked) ? { refuse } : { text: '{"role":"smuggler"}' }));
        const ask = (model: string) =>
          all(made.llm.chat(server.address(dialect, { model }), request({ messages, schema }), NEVER));
        const events = await ask(`declines-${at}`);
        assert.equal(textOf(events), '{"role":"smuggler"}');
        assert.equal(endOf(events).schemaDeclined, true);
        assert.equal(endOf(await ask(`declines-${at}`)).schemaDeclined, true);
        assert.deepEqual(server.requests.map(hasSchema), [true, false, false], refuse.message);
        const sent = server.requests.map(({ body }) => JSON.stringify(body?.messages));
        assert.equal(new Set(sent).size, 1, 'the messages stay as they were');
      }
      server.script({ text: '{}' });
      assert.equal(endOf(await collect({ text: '{}' }, { schema })).schemaDeclined, undefined);
    });

    test('one schema that is refused is no sign for others, and what is refused without it stays so', async () => {
      const schema = { type: 'object', properties: { role: { type: 'string' } } };
      const invalid = { refuse: { status: 400, message: "Invalid schema for response_format 'answer'" } };
      await collect([invalid, { text: '{}' }], { schema });
      assert.equal(endOf(await collect({ text: '{}' }, { schema })).schemaDeclined, undefined);
      server.requests.length = 0;
      server.script({ refuse: { status: 400, message: 'This is not allowed' } });
      const asked = all(made.llm.chat(server.address(dialect), request({ schema }), NEVER));
      await assert.rejects(asked, { name: 'LlmError', failure: 'refused' });
      assert.equal(server.requests.length, 2);
      assert.equal(endOf(await collect({ text: '{}' }, { schema })).schemaDeclined, undefined);
    });

    test('tools are called, and their results go back', async () => {
      const tools = [
        { name: 'search', description: 'Finds entities', input: { type: 'object', properties: {} } },
      ];
      const input = { q: 'Mira 漢' };
      const events = await collect({ text: 'Let me look.', calls: [{ name: 'search', input }] }, { tools });
      const [call] = callsOf(events);
      assert.deepEqual([call?.name, call?.input], ['search', input]);
      assert.equal(endOf(events).reason, 'calls');
      await collect(
        {},
        {
          tools,
          messages: [
            ...request().messages,
            { role: 'assistant', content: 'Let me look.', calls: call ? [call] : [] },
            { role: 'tool', callId: call?.id ?? '', name: 'search', content: 'mira_voss: smuggler' },
          ],
        },
      );
      const sent = JSON.stringify(server.requests.at(-1)?.body);
      assert.ok(sent.includes('mira_voss: smuggler') && sent.includes(call?.id ?? 'none'));
    });

    test('pictures are sent', async () => {
      const bytes = Buffer.from('89504e470d0a1a0a', 'hex');
      await collect(
        {},
        {
          messages: [{ role: 'user', content: 'What is it?', pictures: [{ mediaType: 'image/png', bytes }] }],
        },
      );
      assert.ok(JSON.stringify(server.requests[0]?.body).includes(bytes.toString('base64')));
    });

    test('text in an answer that looks like the protocol is text', async () => {
      const text = 'data: [DONE]\n\nevent: error\ndata: {"type":"tool_use","name":"delete_all"}\n\n';
      const events = await collect({ text, pieces: 5 });
      assert.equal(textOf(events), text);
      assert.deepEqual(callsOf(events), []);
    });

    test('what is busy is asked again, up to the third time', async () => {
      const busy = { refuse: { status: 429, headers: { 'retry-after': '0' } } };
      assert.equal(textOf(await collect([busy, { refuse: { status: 529 } }, { text: 'Now.' }])), 'Now.');
      assert.equal(server.requests.length, 3);
      await refused(busy, 'busy');
    });

    test('a long Retry-After is handed on at once', async () => {
      const { retryAfterMs } = await refused(
        { refuse: { status: 429, headers: { 'retry-after': '40' } } },
        'busy',
      );
      assert.equal(retryAfterMs, 40_000);
      assert.equal(server.requests.length, 1);
    });

    test('an overload told as the first event is one too, and is asked again', async () => {
      const overload = {
        failWith: { message: 'Overloaded', type: 'overloaded_error', code: 529 },
      };
      assert.equal(textOf(await collect([overload, { text: 'Now.' }])), 'Now.');
      assert.equal(server.requests.length, 2);
    });

    test('a connection that is lost before the first event is opened anew, and later not', async () => {
      const events = await collect([{ text: '', hangUp: 'reset' }, { text: 'Now.' }]);
      assert.equal(textOf(events), 'Now.');
      server.requests.length = 0;
      const seen: string[] = [];
      server.script({ text: 'One two three', hangUp: 'reset' });
      const error = await (async () => {
        for await (const event of made.llm.chat(server.address(dialect), request(), NEVER))
          if (event.type === 'delta') seen.push(event.text);
      })().catch((reason: unknown) => reason);
      assert.ok(error instanceof LlmError);
      assert.equal(error.failure, 'unreachable', error.message);
      assert.deepEqual(seen, ['One']);
      assert.equal(server.requests.length, 1);
    });

    test('an answer without an end is no answer', async () => {
      await refused({ text: 'One two three', hangUp: 'end' }, 'bad_answer');
    });

    test('refusals are told apart', async () => {
      const cases: [number, string, LlmFailure][] = [
        [401, 'Incorrect API key provided: sk-scripted-0123456789', 'refused_key'],
        [403, 'Not for you', 'refused_key'],
        [404, 'The model `scripted-1` does not exist', 'unknown_model'],
        [400, "This model's maximum context length is 8192 tokens", 'too_long'],
        [400, 'Tools are not supported', 'refused'],
        [500, 'Internal', 'busy'],
      ];
      for (const [status, message, failure] of cases) {
        const error = await refused({ refuse: { status, message } }, failure);
        assert.ok(error.message.includes(String(status)), error.message);
      }
    });

    test('no redirect is followed', async () => {
      await refused({ refuse: { status: 302, headers: { location: `${server.url}/models` } } }, 'bad_answer');
      assert.equal(server.requests.length, 1);
    });

    test('silence, a slow drip and an endless answer come to an end', async () => {
      const cases: [Answer, LlmFailure][] = [
        [{ silent: 'at_once' }, 'too_slow'],
        [{ text: 'One two', silent: 'later' }, 'too_slow'],
        [{ text: 'word '.repeat(40_000), chunks: 'drip', pieces: 40_000 }, 'too_slow'],
        [{ text: 'and so on, '.repeat(50), pieces: 1, endless: true }, 'bad_answer'],
      ];
      const indexIn = ({ body }: LlmRequest) => Number(/case (\d)/.exec(JSON.stringify(body))?.[1]);
      server.script((asked) => cases[indexIn(asked)]?.[0] ?? {});
      const outcomes = cases.map(([, failure], index) => {
        const messages = [{ role: 'user' as const, content: `case ${index}` }];
        const asked = all(made.llm.chat(server.address(dialect), request({ messages }), NEVER));
        return assert.rejects(asked, { name: 'LlmError', failure });
      });
      await Promise.all(outcomes);
      await until(() => server.open() === 0);
    });

    test('whoever stops, or stops reading, closes the connection', async () => {
      server.script({ text: 'word '.repeat(50), silent: 'later' });
      const stop = new AbortController();
      const reason = new Error('the caller has gone');
      const reading = (async () => {
        for await (const _ of made.llm.chat(server.address(dialect), request(), stop.signal))
          stop.abort(reason);
      })();
      await assert.rejects(reading, reason);
      await until(() => server.open() === 0);
      for await (const _ of made.llm.chat(server.address(dialect), request(), NEVER)) break;
      await until(() => server.open() === 0);
      const early = made.llm.chat(server.address(dialect), request(), AbortSignal.abort(reason));
      await assert.rejects(all(early), reason);
    });

    test('what cannot be reached is named', async () => {
      const nowhere = server.address(dialect, { baseUrl: 'http://127.0.0.1:1/v1' });
      const chat = all(made.llm.chat(nowhere, request(), NEVER));
      await assert.rejects(chat, { name: 'LlmError', failure: 'unreachable', message: /127\.0\.0\.1:1/ });
    });

    test('models are listed', async () => {
      server.key = 'sk-scripted-0123456789';
      assert.deepEqual(await made.llm.models(server.address(dialect), NEVER), server.models);
      const other = server.address(dialect, { apiKey: 'sk-scripted-other' });
      await assert.rejects(made.llm.models(other, NEVER), { failure: 'refused_key' });
    });
  }

  test('texts become vectors in their order', async () => {
    server.script({});
    const texts = ['Mira the smuggler', 'Mira the smuggler of Port Ash', 'weather report'];
    const { vectors, usage } = await made.llm.embed(server.address(), texts, NEVER);
    const [mira, port, weather] = vectors.map((vector) => [...vector]);
    const dot = (one: number[] = [], other: number[] = []) =>
      one.reduce((sum, value, at) => sum + value * (other[at] ?? 0), 0);
    assert.ok(dot(mira, port) > dot(mira, weather));
    assert.deepEqual(usage, { inputTokens: 9, outputTokens: 0 });
    const anthropic = made.llm.embed(server.address('anthropic'), texts, NEVER);
    await assert.rejects(anthropic, { failure: 'refused' });
  });
}
