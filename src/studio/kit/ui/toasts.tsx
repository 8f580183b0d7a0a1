import { type ReactNode, useEffect, useSyncExternalStore } from 'react';
import { Button, IconButton } from './button.tsx';
import { classNames } from './class-names.ts';
import { Icon } from './icons.tsx';
import styles from './toasts.module.css';

export interface Toast {
  text: ReactNode;
  tone?: 'info' | 'success' | 'warning' | 'error';
  /** Such as undo. A toast with an action stays until it is closed, unless many others come after it. */
  action?: { label: string; onPress: () => void };
}

interface ShownToast extends Toast {
  id: number;
}

const MOST = 3;
const MOST_WITH_ACTIONS = 6;
const LASTS_MS = 6000;

let shown: readonly ShownToast[] = [];
let lastId = 0;
const listeners = new Set<() => void>();

function show(next: readonly ShownToast[]): void {
  shown = next;
  for (const listener of listeners) listener();
}

/**
 * Says what has happened elsewhere than before the user's eyes. The oldest without an action gives way, and where all
 * others have one, the oldest of too many.
 * @param inPlaceOf the number of an earlier toast
 * @returns its number
 */
export function showToast(toast: Toast, inPlaceOf = 0): number {
  lastId += 1;
  show([...withRoom(shown.filter(({ id }) => id !== inPlaceOf)), { ...toast, id: lastId }]);
  return lastId;
}

/** As many of them as leave room for one more. */
function withRoom(toasts: readonly ShownToast[]): readonly ShownToast[] {
  if (toasts.length < MOST) return toasts;
  const passing = toasts.find(({ action }) => action === undefined);
  if (passing) return toasts.filter((toast) => toast !== passing);
  return toasts.slice(1 - MOST_WITH_ACTIONS);
}

export const isToastShown = (number: number): boolean => shown.some(({ id }) => id === number);

/** Nothing of one user is offered to the next. */
export const forgetToasts = (): void => show([]);

const closeToast = (id: number) => show(shown.filter((toast) => toast.id !== id));

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** Once in the page. */
export function Toasts({ label, closeLabel }: { label: string; closeLabel: string }) {
  const toasts = useSyncExternalStore(subscribe, () => shown);
  return (
    <section aria-label={label} aria-live="polite" className={styles.toasts}>
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} closeLabel={closeLabel} />
      ))}
    </section>
  );
}

function ToastCard({ toast, closeLabel }: { toast: ShownToast; closeLabel: string }) {
  const { id, text, tone = 'info', action } = toast;
  const stays = action !== undefined || tone === 'error';
  useEffect(() => {
    if (stays) return;
    const timer = setTimeout(() => closeToast(id), LASTS_MS);
    return () => clearTimeout(timer);
  }, [id, stays]);
  return (
    <div className={classNames(styles.toast, styles[tone])}>
      <Icon name={tone} size={18} />
      <div className={styles.text}>{text}</div>
      {action && (
        <Button
          size="s"
          onPress={() => {
            closeToast(id);
            action.onPress();
          }}
        >
          {action.label}
        </Button>
      )}
      <IconButton size="s" label={closeLabel} icon={<Icon name="close" />} onPress={() => closeToast(id)} />
    </div>
  );
}
