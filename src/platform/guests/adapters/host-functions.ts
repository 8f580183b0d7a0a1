import { type GuestHost, type GuestHttpRequest, GuestRefusal } from '../host.ts';
import { count, listOf, optional, pair, record, type Shape, ShapeError, text } from '../shapes.ts';
import { type HostAnswer, type HostQuestion, MOST_ANSWER_BYTES, sizeOf } from './thread/messages.ts';

type Answering = (host: GuestHost, args: readonly unknown[]) => Promise<unknown>;

interface HostFunction {
  answer: Answering;
  /** The world has an error for it. */
  mayRefuse: boolean;
}

const httpRequest = record<GuestHttpRequest>({
  method: text,
  url: text,
  headers: listOf(pair(text, text)),
  body: optional(text),
});

const given = <Value>(shape: Shape<Value>, args: readonly unknown[], at: number): Value =>
  shape(args[at], `argument ${at + 1}`);

const textsOf = (args: readonly unknown[], at: number): string => given(text, args, at);

const plain = (answer: Answering): HostFunction => ({ answer, mayRefuse: false });
const refusing = (answer: Answering): HostFunction => ({ answer, mayRefuse: true });

const FUNCTIONS: Readonly<Record<string, HostFunction>> = {
  'entities.get': plain(({ entities }, args) => entities.get(textsOf(args, 0), textsOf(args, 1))),
  'entities.listIds': plain(({ entities }, args) =>
    entities.listIds(textsOf(args, 0), given(count, args, 1), given(optional(text), args, 2)),
  ),
  'entities.search': plain(({ entities }, args) => entities.search(textsOf(args, 0), given(count, args, 1))),
  'entities.write': refusing(({ entities }, args) =>
    entities.write(textsOf(args, 0), textsOf(args, 1), textsOf(args, 2)),
  ),
  'settings.get': plain(({ settings }) => settings.get()),
  'kv.get': plain(({ kv }, args) => kv.get(textsOf(args, 0))),
  'kv.set': refusing(({ kv }, args) => kv.set(textsOf(args, 0), textsOf(args, 1))),
  'kv.delete': plain(({ kv }, args) => kv.delete(textsOf(args, 0))),
  'kv.list': plain(({ kv }, args) => kv.list(textsOf(args, 0))),
  'events.emit': refusing(({ events }, args) => events.emit(textsOf(args, 0), textsOf(args, 1))),
  'http.request': refusing(({ http }, args) => http.request(given(httpRequest, args, 0))),
};

/** `failed` gets the host's own error when the guest must not go on. */
export async function answerGuest(
  host: GuestHost,
  { name, args }: HostQuestion,
  failed: (error: unknown) => void,
): Promise<HostAnswer> {
  const known = FUNCTIONS[name];
  try {
    if (!known) throw new Error(`the world has no ${name}`);
    const value = await known.answer(host, args);
    if (sizeOf(value, MOST_ANSWER_BYTES) <= MOST_ANSWER_BYTES) return { value };
    throw new GuestRefusal('The answer is longer than 4 MiB');
  } catch (error) {
    if (known?.mayRefuse && error instanceof GuestRefusal) return { refused: error.message };
    if (error instanceof ShapeError) return { stop: 'bad_result', message: `${name}: ${error.message}` };
    failed(error);
    return { stop: 'host', message: `The host failed in ${name}` };
  }
}
