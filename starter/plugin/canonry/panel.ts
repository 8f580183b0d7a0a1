// Speaks with the page of Canonry around this one: docs/plugins.md says what is sent.
import type { Entity } from './entity.ts';

/** The entry that is shown, with what is typed and not saved yet. A new one has neither id nor version. */
export type ShownEntity = Pick<
  Entity,
  'entity_type' | 'name' | 'status' | 'fields' | 'markdown_body' | 'primary_asset' | 'production_status'
> & {
  entity_id: string | null;
  version: number | null;
  updated_at: string | null;
  updated_by: string | null;
};

export type Theme = 'light' | 'dark';

export interface Context {
  /** Null on a page that is about no entry. */
  entityType: string | null;
  entityId: string | null;
  /** Null without the permission `entities:read`. */
  data: ShownEntity | null;
  theme: Theme;
  /** Of the Studio, as a tag such as `de`. */
  language: string;
}

export interface PluginEvent {
  /** The plugin that says so. Any may emit any name: look at this before you trust the rest. */
  pluginId: string;
  name: string;
  payload: unknown;
}

export interface PanelHandlers {
  /** First, and after each change unless there is an `onUpdated`. Leave a field alone in which the user is typing. */
  onContext?(context: Context): void;
  /** After a save, here or elsewhere. */
  onUpdated?(context: Context): void;
  /** The theme's colours have changed already: they are variables of the page (`--surface-base-bg`). */
  onTheme?(theme: Theme): void;
  /** The guest of a plugin has emitted an event: of this one, or of another. At most 50 a second arrive. */
  onEvent?(event: PluginEvent): void;
  /** False to choose the height yourself, by `resize`. */
  autoHeight?: boolean;
}

export interface WidgetState {
  value: unknown;
  /** The field cannot be changed now. */
  disabled: boolean;
  /** The template's settings of the field, if the manifest has `accepts_options`. */
  options: Record<string, unknown>;
}

export interface WidgetHandlers extends PanelHandlers {
  /** First, and when it is not what the page knows; not after a `change` of its own. */
  onUpdate?(state: WidgetState): void;
}

interface EntityAddress {
  entity_type: string;
  entity_id: string;
}

interface Page {
  limit?: number;
  offset?: number;
}

interface Order {
  sort_by?: 'updated_at' | 'created_at' | 'name' | 'status' | 'entity_id' | 'version';
  sort_order?: 'asc' | 'desc';
}

interface RecordAddress {
  record_type: string;
  record_id: string;
}

export interface PluginRecord extends RecordAddress {
  entity_type: string | null;
  entity_id: string | null;
  data: Record<string, unknown>;
  created_at: string;
  updated_at: string;
}

type PageOf<Name extends string, Item> = { total: number; limit: number; offset: number } & Record<
  Name,
  Item[]
>;

export interface Graph {
  nodes: { entity_type: string; entity_id: string; name: string; status: string; degree: number }[];
  /** Between `type:id` and `type:id`: by a field, or by a link in a text. */
  edges: { from: string; to: string; field: string; kind: 'field' | 'link' }[];
  /** There is more than was sent. */
  truncated: boolean;
}

/** The calls: arguments and answer of each. */
export interface Calls {
  'entities.get': [EntityAddress, Entity];
  /** By the last change, the newest first, unless you say otherwise. At most 200 at once. */
  'entities.list': [{ entity_type: string } & Page & Order, PageOf<'entities', Entity>];
  'entities.search': [
    { query: string; limit?: number },
    { total: number; items: { type: string; id: string; name: string; field: string; snippet: string }[] },
  ];
  /**
   * `fields` may have `name`, `status` and `markdown_body` beside the template's. Needs `entities:write`. Refused with 409 if one of
   * them was changed since `base_version`, or in this moment if you give none.
   */
  'entities.update': [EntityAddress & { fields: Record<string, unknown>; base_version?: number }, Entity];
  /** The entries within `depth` references (1 to 5), in either direction, and all edges among them; up to `limit` entries. */
  'entities.graph': [EntityAddress & { depth?: number; limit?: number }, Graph];
  /** `label` is for one entry, `folder_name` for many. */
  'types.list': [
    object,
    { entity_types: { entity_type: string; label: string; folder_name: string; ui_color?: string }[] },
  ];
  /** A JSON Schema of the fields, with hints for forms such as `x-widget`. */
  'types.schema': [{ entity_type: string }, Record<string, unknown>];
  /** Data of this plugin: JSON objects in collections that you name. */
  'data.list': [{ record_type: string } & Page & Partial<EntityAddress>, PageOf<'records', PluginRecord>];
  'data.get': [RecordAddress, PluginRecord];
  'data.create': [{ record_type: string; data: Record<string, unknown> }, PluginRecord];
  'data.put': [RecordAddress & { data: Record<string, unknown> }, PluginRecord];
  'data.delete': [RecordAddress, { message: string }];
  /** The user's own value where one is set, else the world's. Without secrets. */
  'settings.get': [object, Record<string, unknown>];
  /** Asks the user whether to save a file: a frame may not download by itself. */
  'files.offer': [{ name: string; content: Blob }, null];
  'settings.set_user': [{ values: Record<string, unknown> }, Record<string, unknown>];
  /** A route of this plugin's guest: `path` follows `custom`, with the query. A body that is no text is sent as JSON. */
  custom: [{ method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'; path: string; body?: unknown }, unknown];
}

/** A call that was refused; `status` as of HTTP. */
export class CallError extends Error {
  readonly status: number;

  constructor(status: number, detail: string) {
    super(detail);
    this.name = 'CallError';
    this.status = status;
  }
}

export interface Panel {
  /** Changes fields of the entry in front of the user, who can take it back. Needs `entities:write`. */
  modify(fields: Record<string, unknown>): void;
  toast(message: string, level?: 'info' | 'success' | 'warning' | 'error'): void;
  /** To an entry, or to an address within the Studio, such as `/w/default/search`. */
  navigate(to: { entityType: string; entityId: string } | { path: string }): void;
  /** Pixels, from 40 to 300. Without `autoHeight: false` it follows the content by itself. */
  resize(height: number): void;
  /** Rejects with a `CallError`. Many at once wait for their turn. */
  call<Name extends keyof Calls>(name: Name, args: Calls[Name][0]): Promise<Calls[Name][1]>;
}

export interface Widget extends Panel {
  /** The field's new value. */
  change(value: unknown): void;
}

type Message = { type: string } & Record<string, unknown>;

interface Link {
  post(message: Message): void;
  /** To every page that may show this one: it is not known yet which of them does. */
  hello(message: Message): void;
}

declare global {
  interface Window {
    PLUGIN_CONTEXT?: { pluginId: string; panelId: string; hosts: string[] };
  }
}

/** Hears only the window above, and only if it is Canonry: no other page may use what this one can do. */
function connect(hear: (message: Message) => void): Link {
  const hosts = window.PLUGIN_CONTEXT?.hosts ?? [];
  const waiting: Message[] = [];
  let host: string | null = null;

  const send = (message: Message, to: string) => window.parent.postMessage(message, to);
  const post = (message: Message) => void (host === null ? waiting.push(message) : send(message, host));

  window.addEventListener('message', ({ source, origin, data }: MessageEvent) => {
    if (source !== window.parent || !hosts.includes(origin) || typeof data !== 'object' || data === null)
      return;
    if (host === null && data.type === 'entity-context' && data.hostOrigin === origin) {
      host = origin;
      waiting.splice(0).forEach(post);
    }
    if (origin === host) hear(data);
  });

  return {
    post,
    hello(message) {
      if (window.parent !== window) for (const origin of hosts) send(message, origin);
    },
  };
}

const ANSWER_WITHIN_MS = 30_000;

/** Canonry drops what is more than 50 messages a second, and refuses more than 20 calls at once. */
const CALLS = { atOnce: 10, aSecond: 40 };
const SECOND_MS = 1_000;

/** Starts work in turn, as much as may be under way. Work says when it has ended. */
function createQueue() {
  const waiting: (() => void)[] = [];
  let running = 0;
  let started: number[] = [];
  let timer: ReturnType<typeof setTimeout> | undefined;

  function next(): void {
    clearTimeout(timer);
    const now = Date.now();
    started = started.filter((at) => at > now - SECOND_MS && at <= now);
    while (running < CALLS.atOnce && started.length < CALLS.aSecond) {
      const work = waiting.shift();
      if (work === undefined) return;
      running += 1;
      started.push(now);
      work();
    }
    const [first] = started;
    if (waiting.length > 0 && running < CALLS.atOnce && first !== undefined)
      timer = setTimeout(next, first + SECOND_MS - now);
  }

  return {
    add(work: () => void): void {
      waiting.push(work);
      next();
    },
    ended(): void {
      running -= 1;
      next();
    },
  };
}

function createCalls({ post }: Link) {
  const open = new Map<number, (answer: Message | null) => void>();
  const queue = createQueue();
  let last = 0;
  return {
    answer: (message: Message) => open.get(Number(message.callId))?.(message),
    call<Name extends keyof Calls>(name: Name, args: Calls[Name][0]): Promise<Calls[Name][1]> {
      last += 1;
      const callId = last;
      return new Promise((resolve, reject) => {
        let timer: ReturnType<typeof setTimeout> | undefined;
        const end = (answer: Message | null) => {
          open.delete(callId);
          clearTimeout(timer);
          queue.ended();
          if (answer?.ok === true) resolve(answer.result as Calls[Name][1]);
          else
            reject(
              new CallError(
                Number(answer?.status ?? 504),
                String(answer?.detail ?? 'Canonry gave no answer'),
              ),
            );
        };
        queue.add(() => {
          timer = setTimeout(() => end(null), ANSWER_WITHIN_MS);
          open.set(callId, end);
          post({ type: 'host-call', callId, call: name, args });
        });
      });
    },
  };
}

function followHeight(resize: (height: number) => void): void {
  let known = 0;
  new ResizeObserver(() => {
    const height = Math.ceil(document.documentElement.getBoundingClientRect().height);
    if (height !== known) resize(height);
    known = height;
  }).observe(document.documentElement);
}

function open(handlers: WidgetHandlers, resizing: string): { link: Link; panel: Panel } {
  const { onContext, onUpdated = onContext, onTheme, onEvent, onUpdate, autoHeight = true } = handlers;
  let context: Context | null = null;
  let known = '';
  let hasState = false;

  /** The same may be said twice, since the page may have asked twice. */
  function take(message: Message, tell = onContext): void {
    const { entityType, entityId, data, theme = context?.theme, language = context?.language } = message;
    context = { entityType, entityId, data, theme, language } as Context;
    const next = JSON.stringify(context);
    if (next !== known) tell?.(context);
    known = next;
  }

  function takeState(message: Message): void {
    if (hasState && message.repeated === true) return;
    hasState = true;
    const { value, disabled, options } = message as unknown as WidgetState;
    onUpdate?.({ value, disabled, options });
  }

  function hear(message: Message): void {
    if (message.type === 'entity-context') take(message);
    else if (message.type === 'entity-updated') take(message, onUpdated);
    else if (message.type === 'theme-change') onTheme?.(message.theme as Theme);
    else if (message.type === 'plugin-event') onEvent?.(message as unknown as PluginEvent);
    else if (message.type === 'host-field-widget-update') takeState(message);
    else if (message.type === 'host-result') calls.answer(message);
  }

  const link = connect(hear);
  const calls = createCalls(link);
  const resize = (height: number) => link.post({ type: resizing, height });
  if (autoHeight) followHeight(resize);
  link.hello({ type: 'panel-ready' });
  const panel: Panel = {
    modify: (fields) => link.post({ type: 'entity-modified', fields }),
    toast: (message, level = 'info') => link.post({ type: 'toast', message, level }),
    navigate: (to) => link.post({ type: 'navigate', ...to }),
    resize,
    call: calls.call,
  };
  return { link, panel };
}

export const canonry = {
  /** For panels, and for pages and commands, which are about no entry. Once in a page. */
  panel: (handlers: PanelHandlers = {}): Panel => open(handlers, 'resize').panel,

  /** For the page that edits a field. Once in a page. */
  widget(handlers: WidgetHandlers = {}): Widget {
    const { link, panel } = open(handlers, 'host-field-widget-resize');
    return { ...panel, change: (value) => link.post({ type: 'host-field-widget-change', value }) };
  },
};
