import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { ChatEvent, ChatRequest } from '../../platform/llm/llm.ts';
import { askStructured } from './ask-structured.ts';
import type { ModelSession } from './models.ts';

type End = Extract<ChatEvent, { type: 'end' }>['reason'];

/** Answers with the given texts in turn, and keeps what it was asked. */
function sessionOf(...answers: (string | [text: string, reason: End])[]) {
  const asked: ChatRequest[] = [];
  const session: ModelSession = {
    async *chat(request) {
      const answer = answers[asked.push(request) - 1] ?? '';
      const [text, reason]: [string, End] = typeof answer === 'string' ? [answer, 'stop'] : answer;
      yield { type: 'delta', text: text.slice(0, 3) };
      yield { type: 'delta', text: text.slice(3) };
      yield { type: 'end', reason, usage: { inputTokens: 1, outputTokens: 1 } };
    },
    embed: () => Promise.reject(new Error('nothing is embedded here')),
  };
  return { session, asked };
}

const question = {
  messages: [{ role: 'user', content: 'How old is Mira?' }] as const,
  schema: {
    type: 'object',
    properties: { age: { type: 'integer' } },
    required: ['age'],
    additionalProperties: false,
  },
  maxOutputTokens: 100,
};

const ask = async (...answers: Parameters<typeof sessionOf>) => {
  const { session, asked } = sessionOf(...answers);
  return { ...(await askStructured(session, question)), asked };
};

test('a good answer is asked for once, with the schema', async () => {
  const { value, problems, asked } = await ask('{"age": 31}');
  assert.deepEqual([value, problems], [{ age: 31 }, []]);
  assert.deepEqual(asked, [
    { messages: question.messages, schema: question.schema, maxOutputTokens: question.maxOutputTokens },
  ]);
});

test('JSON is found between fences and between sentences', async () => {
  for (const text of [
    '```json\n{"age": 31}\n```',
    'Of course:\n```\n{"age": 31}\n```',
    'She is {"age": 31}.',
  ])
    assert.deepEqual((await ask(text)).value, { age: 31 }, text);
});

test('a bad answer is asked for once more, with itself and all its problems', async () => {
  const { value, problems, asked } = await ask('{"age": "old", "mood": 1}', '{"age": 31}');
  assert.deepEqual([value, problems], [{ age: 31 }, []]);
  const [before, answer, repair, ...rest] = asked[1]?.messages ?? [];
  assert.deepEqual(
    [before, answer, rest],
    [question.messages[0], { role: 'assistant', content: '{"age": "old", "mood": 1}' }, []],
  );
  assert.match(repair?.content ?? '', /- age must be a whole number, is "old"\n/);
  assert.match(repair?.content ?? '', /- mood was not asked for/);
});

test('what stays bad after one repair is told and not returned', async () => {
  const { value, problems, asked } = await ask('{"age"', ['{"age": 3', 'length'], '{"age": 31}');
  assert.deepEqual([value, problems, asked.length], [null, ['the answer was cut off'], 2]);
});

test('what the provider withheld is not asked for again', async () => {
  const { value, problems, asked } = await ask(['', 'filtered'], '{"age": 31}');
  assert.deepEqual([value, problems, asked.length], [null, ['the provider withheld the answer'], 1]);
});

test('what only the caller objects to is repaired, and returned with its problems', async () => {
  const check = ({ age }: Record<string, unknown>) => (age === 31 ? [] : ['age must be 31']);
  const good = sessionOf('{"age": 30}', '{"age": 31}');
  assert.deepEqual(await askStructured(good.session, { ...question, check }), {
    value: { age: 31 },
    problems: [],
  });
  const bad = sessionOf('{"age": 30}', 'sorry');
  assert.deepEqual(await askStructured(bad.session, { ...question, check }), {
    value: { age: 30 },
    problems: ['age must be 31'],
  });
});
