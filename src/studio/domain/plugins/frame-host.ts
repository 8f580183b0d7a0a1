import { deepEqual, type JsonMap } from '../../../text/json.ts';
import { type CallId, type FrameMessage, readFrameMessage, type ToastLevel } from './frame-messages.ts';
import { addressOfGoal } from './goal.ts';
import { type HostCall, readHostCall } from './host-calls.ts';
import type {
  CallResult,
  EntityData,
  HostMessage,
  PluginEvent,
  ShownTheme,
  WidgetState,
} from './host-messages.ts';
import { createMessageGuard, createPace } from './message-guard.ts';

/** `silent`: it has said nothing for a while. `stopped`: it said too much, and is to be taken away. */
export type FrameState = 'loading' | 'shown' | 'silent' | 'stopped';

/** A page that has said nothing after so long does not answer. */
const PATIENCE_MS = 5_000;

const MOST_CALLS_AT_ONCE = 20;
const TOASTS = { most: 5, withinMs: 10_000 };
const STEPS = { most: 3, withinMs: 3_000 };
/** An entity may be megabytes. */
const TELLINGS = { most: 10, withinMs: 1_000 };
/** Guests may emit more than a page that draws something at each event can take. */
const EVENTS = { most: 50, withinMs: 1_000 };

export interface FrameHostOptions {
  project: string;
  granted: ReadonlySet<string>;
  hostOrigin: string;
  now(): number;
  /** Returns how to cancel it. */
  after(ms: number, work: () => void): () => void;
  send(message: HostMessage): void;
  entity(): EntityData;
  theme(): ShownTheme;
  /** Of the Studio, as a tag such as `de`. */
  language(): string;
  variables(): Readonly<Record<string, string>>;
  /** Null for a page that edits no field. */
  widget(): WidgetState | null;
  /** The user may change entities. */
  mayEdit: boolean;
  onState(state: FrameState): void;
  /** @param told the entity as the page was told it last; null where it was not told */
  onModify(fields: JsonMap, told: JsonMap | null): void;
  onGo(address: string): void;
  onToast(level: ToastLevel, text: string): void;
  onResize(height: number): void;
  onChange(value: unknown): void;
  /** It wants to change the entity, and it or the user may not: told once. */
  onRefused(who: 'plugin' | 'user'): void;
  /** Never rejects. */
  run(call: HostCall): Promise<CallResult>;
}

/** The browser decodes its data when they are read, which takes long for large ones: they are read only if it is taken. */
type PostedMessage = Pick<MessageEvent<unknown>, 'data'>;

export type FrameHost = ReturnType<typeof createFrameHost>;

/** The host's side of the conversation with one page of a plugin. */
export function createFrameHost(options: FrameHostOptions) {
  const { granted, send, now } = options;
  const guard = createMessageGuard(now);
  const mayToast = createPace(now, TOASTS);
  const mayGo = createPace(now, STEPS);
  const mayAsk = createPace(now, TELLINGS);
  const mayHear = createPace(now, EVENTS);
  const mayWrite = granted.has('entities:write');
  let state: FrameState = 'loading';
  let isThere = false;
  let wasRefused = false;
  let calls = 0;
  let known: WidgetState | null = null;
  let told: JsonMap | null = null;
  let cancelPatience = options.after(PATIENCE_MS, lose);

  const isListening = (): boolean => isThere && state !== 'stopped';

  function become(next: FrameState): void {
    if (next === state) return;
    state = next;
    options.onState(next);
  }

  function lose(): void {
    if (state === 'loading') become('silent');
  }

  const entityToTell = (): EntityData => {
    const { data, ...address } = options.entity();
    told = granted.has('entities:read') ? data : null;
    return { ...address, data: told };
  };

  const tellEntity = () =>
    send({
      type: 'entity-context',
      ...entityToTell(),
      theme: options.theme(),
      language: options.language(),
      hostOrigin: options.hostOrigin,
    });
  const tellVariables = () => send({ type: 'host-theme-response', variables: options.variables() });

  function tellWidget(): void {
    known = options.widget();
    if (known) send({ type: 'host-field-widget-update', ...known });
  }

  /** What the user is typing there may be on its way here, so that a page that has been told can pass over it. */
  function repeatWidget(): void {
    if (known) send({ type: 'host-field-widget-update', ...known, repeated: true });
    else tellWidget();
  }

  function tellAll(): void {
    isThere = true;
    tellEntity();
    tellVariables();
    repeatWidget();
  }

  function modify(entityId: string | null, fields: JsonMap): void {
    if (entityId !== null && entityId !== options.entity().entityId) return;
    const isAllowed = mayWrite && options.mayEdit;
    if (isAllowed) options.onModify(fields, told);
    else if (!wasRefused) options.onRefused(mayWrite ? 'user' : 'plugin');
    wasRefused ||= !isAllowed;
  }

  function change(value: unknown): void {
    const before = options.widget();
    if (!before || before.disabled) return;
    // The page is not told its own value.
    known = { ...before, value };
    options.onChange(value);
  }

  async function call(id: CallId, name: unknown, args: JsonMap): Promise<void> {
    const read = readHostCall(name, args, granted);
    const answer = (result: CallResult) => {
      if (state !== 'stopped') send({ type: 'host-result', callId: id, ...result });
    };
    if ('refused' in read) return answer({ ok: false, ...read.refused });
    if (calls >= MOST_CALLS_AT_ONCE) return answer({ ok: false, ...TOO_MANY });
    calls += 1;
    try {
      answer(await options.run(read));
    } finally {
      calls -= 1;
    }
  }

  function follow(message: FrameMessage): unknown {
    switch (message.kind) {
      case 'ready':
        return mayAsk() && tellAll();
      case 'wants-entity':
        return mayAsk() && tellEntity();
      case 'wants-theme':
        return mayAsk() && tellVariables();
      case 'modified':
        return modify(message.entityId, message.fields);
      case 'navigate': {
        const address = addressOfGoal(message.to, { project: options.project, mayWrite });
        return address !== null && mayGo() && options.onGo(address);
      }
      case 'toast':
        return mayToast() && options.onToast(message.level, message.text);
      case 'resize':
        return options.onResize(message.height);
      case 'widget-change':
        return change(message.value);
      case 'call':
        return call(message.id, message.call, message.args);
    }
  }

  function take(event: PostedMessage): void {
    const began = now();
    const message = readFrameMessage(event.data);
    const isTooLarge = message?.kind === 'too-large';
    if (message && !isTooLarge) {
      isThere = true;
      become('shown');
      follow(message);
    }
    guard.addCost({ ms: now() - began, isTooLarge });
  }

  return {
    /** Takes a message of the page. */
    receive(event: PostedMessage): void {
      if (state === 'stopped') return;
      const verdict = guard.judge();
      if (verdict === 'take') take(event);
      if (verdict !== 'stop') return;
      cancelPatience();
      become('stopped');
    },
    /** The frame has loaded a page. */
    loaded(): void {
      if (state === 'stopped') return;
      if (state === 'silent') become('loading');
      cancelPatience();
      cancelPatience = options.after(PATIENCE_MS, lose);
      tellAll();
    },
    /** After a save, after an edit by others, and where the page went on from what is no longer there. */
    entityChanged(): void {
      if (isListening()) send({ type: 'entity-updated', ...entityToTell() });
    },
    themeChanged(): void {
      if (!isListening()) return;
      send({ type: 'theme-change', theme: options.theme() });
      tellVariables();
    },
    widgetChanged(): void {
      if (isListening() && !deepEqual(options.widget(), known)) tellWidget();
    },
    pluginEmitted(event: PluginEvent): void {
      if (isListening() && mayHear()) send({ type: 'plugin-event', ...event });
    },
    /** The frame is taken away. */
    stop(): void {
      cancelPatience();
      state = 'stopped';
    },
  };
}

const TOO_MANY = {
  status: 429,
  detail: `At most ${MOST_CALLS_AT_ONCE} calls may be under way at once: wait for the answers`,
};
