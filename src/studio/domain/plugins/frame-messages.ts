import { isMap, type JsonMap } from '../../../text/json.ts';
import { patchOfEntity } from './entity-patch.ts';
import { plainCopy, TOO_LARGE } from './plain-data.ts';

/** Characters of a message; a larger one is not looked at. */
export const LARGEST_MESSAGE = 256 * 1024;

/** Pixels that a page may ask for (spec 2 §6.4). */
const HEIGHTS = { least: 40, most: 300 };

const MOST_TOAST_LETTERS = 300;
const MOST_ADDRESS_LETTERS = 2_000;

const TOAST_LEVELS = ['info', 'success', 'warning', 'error'] as const;
export type ToastLevel = (typeof TOAST_LEVELS)[number];

/** An entity or an address of the Studio, to which a page wants to go. */
export type Goal = { entityType: string; entityId: string } | { path: string };

export type CallId = string | number;

/** The messages of a plugin's page (spec 2 §6.4), and the two of our own: `ready` and `call`. */
export type FrameMessage =
  /** The script that the service puts into each page says it as soon as it runs. */
  | { kind: 'ready' }
  | { kind: 'wants-entity' }
  | { kind: 'wants-theme' }
  /** Of the entity that the page was told about, unless it names one. */
  | { kind: 'modified'; entityId: string | null; fields: JsonMap }
  | { kind: 'navigate'; to: Goal }
  | { kind: 'toast'; level: ToastLevel; text: string }
  | { kind: 'resize'; height: number }
  | { kind: 'widget-change'; value: unknown }
  | { kind: 'call'; id: CallId; call: unknown; args: JsonMap };

interface TooLarge {
  kind: 'too-large';
}

type Reader = (message: JsonMap) => FrameMessage | null;

const READERS: ReadonlyMap<unknown, Reader> = new Map<unknown, Reader>([
  ['panel-ready', () => ({ kind: 'ready' })],
  ['request-entity-data', () => ({ kind: 'wants-entity' })],
  ['host-theme-request', () => ({ kind: 'wants-theme' })],
  ['entity-modified', readModified],
  ['navigate', readNavigate],
  ['toast', readToast],
  ['resize', readResize],
  ['host-field-widget-resize', readResize],
  ['host-field-widget-change', readWidgetChange],
  ['host-call', readCall],
]);

/** Reads what a plugin's page has posted; null for anything that is no message. */
export function readFrameMessage(data: unknown): FrameMessage | TooLarge | null {
  const message = plainCopy(data, LARGEST_MESSAGE);
  if (message === TOO_LARGE) return { kind: 'too-large' };
  if (!isMap(message)) return null;
  return READERS.get(message.type)?.(message) ?? null;
}

/** Pages of older hosts say `changes`, or give the changed entity as data: its fields alone, or all of it. */
function readModified({ entityId, fields, changes, data, entityData }: JsonMap): FrameMessage | null {
  const entity = [data, entityData].find(isMap);
  const whole = isMap(entity?.fields) ? patchOfEntity(entity.fields, entity) : entity;
  const patch = [fields, changes, whole].find(isMap);
  if (!patch || Object.keys(patch).length === 0) return null;
  return { kind: 'modified', entityId: isName(entityId) ? entityId : null, fields: patch };
}

function readNavigate({ entityType, entityId, path }: JsonMap): FrameMessage | null {
  if (isName(entityType) && isName(entityId)) return { kind: 'navigate', to: { entityType, entityId } };
  return isName(path) && path.length <= MOST_ADDRESS_LETTERS ? { kind: 'navigate', to: { path } } : null;
}

function readToast({ level, toastType, message }: JsonMap): FrameMessage | null {
  if (!isName(message) || message.trim() === '') return null;
  const asked = level ?? toastType;
  return {
    kind: 'toast',
    level: TOAST_LEVELS.find((known) => known === asked) ?? 'info',
    text: cut(message.trim()),
  };
}

function readResize({ height }: JsonMap): FrameMessage | null {
  if (typeof height !== 'number') return null;
  return { kind: 'resize', height: Math.min(Math.max(Math.round(height), HEIGHTS.least), HEIGHTS.most) };
}

function readWidgetChange({ value = null }: JsonMap): FrameMessage {
  return { kind: 'widget-change', value };
}

function readCall({ callId: id, call, args }: JsonMap): FrameMessage | null {
  if (typeof id !== 'number' && !(isName(id) && id.length <= 100)) return null;
  return { kind: 'call', id, call, args: isMap(args) ? args : {} };
}

const isName = (value: unknown): value is string => typeof value === 'string' && value !== '';

/** No half of a character is left at the end. */
function cut(text: string): string {
  const letters = Array.from(text.slice(0, 2 * MOST_TOAST_LETTERS + 2));
  if (letters.length <= MOST_TOAST_LETTERS) return text;
  return `${letters.slice(0, MOST_TOAST_LETTERS - 1).join('')}…`;
}
