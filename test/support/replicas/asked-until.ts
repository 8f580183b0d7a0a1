import { until } from '../until.ts';

/** Repeats the request until the answer will do: another case may kill the process meanwhile. */
export async function askedUntil<Reply>(
  ask: () => Promise<Reply>,
  willDo: (reply: Reply) => boolean,
): Promise<Reply> {
  const replies: Reply[] = [];
  await until(
    async () => {
      const reply = await ask();
      replies.splice(0, 1, reply);
      return willDo(reply);
    },
    () => replies,
  );
  const [reply] = replies;
  if (reply === undefined) throw new Error('there is no answer');
  return reply;
}
