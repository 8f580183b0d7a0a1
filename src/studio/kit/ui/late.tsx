import { Component, type ComponentType, createElement, lazy, type ReactNode } from 'react';
import { LateFailure } from './late-failure.tsx';

interface LateProps {
  /** False while the part is closed: its failure is shown no longer, and the next opening is another try. */
  isWanted?: boolean;
  onClose?: () => void;
}

class MissingPart extends Error {}

/**
 * A part of the page that is loaded when it is first shown, within a `Suspense` of the caller. Where that fails, the
 * rest of the page stays as it is.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isAbove = false } = {},
): ComponentType<Props & LateProps> {
  let ownStyle: string | null = null;
  const attempt = () =>
    lazy(async () => {
      try {
        await mendStyles();
        if (ownStyle !== null && missingStyles.has(ownStyle)) throw new Error(`${ownStyle} is missing`);
        return { default: await load() };
      } catch (cause) {
        ownStyle = styleNamedIn(cause) ?? ownStyle;
        throw new MissingPart('A part of the page could not be loaded', { cause });
      }
    });
  let Part = attempt();
  const renew = () => {
    Part = attempt();
  };
  return (props) => (
    <LateBoundary
      isAbove={isAbove}
      isWanted={props.isWanted ?? true}
      onClose={props.onClose}
      onMissing={renew}
      show={() => createElement(Part, props)}
    />
  );
}

interface LateBoundaryProps {
  isAbove: boolean;
  isWanted: boolean;
  onClose: (() => void) | undefined;
  onMissing: () => void;
  show: () => ReactNode;
}

class LateBoundary extends Component<LateBoundaryProps, { error: unknown }> {
  override state = { error: null as unknown };

  static getDerivedStateFromError = (error: unknown) => ({ error });

  override componentDidCatch(): void {
    this.props.onMissing();
  }

  override componentDidUpdate(before: LateBoundaryProps): void {
    if (this.state.error !== null && this.props.isWanted && !before.isWanted) this.retry();
  }

  retry = (): void => this.setState({ error: null });

  override render() {
    const { error } = this.state;
    const { isAbove, isWanted, onClose, show } = this.props;
    if (error === null) return show();
    // Any other fault is one of the page.
    if (!(error instanceof MissingPart)) throw error;
    return isWanted && <LateFailure isAbove={isAbove} onRetry={this.retry} onClose={onClose} />;
  }
}

/** By their addresses. The build asks for each style once: one that did not come is asked for again here. */
const missingStyles = new Map<string, HTMLLinkElement>();

window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet')
      missingStyles.set(target.href, target);
  },
  true,
);

/** Those that are still missing are so afterwards. */
const mendStyles = () => Promise.all([...missingStyles.values()].map(loadAgain));

const loadAgain = (missing: HTMLLinkElement): Promise<void> =>
  new Promise((resolve) => {
    missingStyles.delete(missing.href);
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = missing.href;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => resolve());
    missing.replaceWith(link);
  });

/** The address of the style without which a part was not loaded, as the build's code says it. */
function styleNamedIn(cause: unknown): string | null {
  const address = cause instanceof Error ? /preload CSS for (\S+)$/.exec(cause.message)?.[1] : undefined;
  return address === undefined ? null : new URL(address, location.href).href;
}
