import { Component, type ComponentType, createElement, lazy, type ReactNode } from 'react';
import { LateFailure } from './late-failure.tsx';

interface LateProps {
  /** False while the part is closed: its failure is shown no longer, and the next opening is another try. */
  isWanted?: boolean;
  onClose?: () => void;
}

class MissingPart extends Error {}

/**
 * A part of the page that is loaded when it is first shown, within a `Suspense` of the caller. Where that fails, the rest
 * of the page stays as it is.
 */
export function late<Props extends object>(
  load: () => Promise<ComponentType<Props>>,
  { isAbove = false } = {},
): ComponentType<Props & LateProps> {
  const attempt = (begin: typeof load) =>
    lazy(async () => {
      const found = await begin().catch((cause: unknown) => {
        throw new MissingPart('A part of the page could not be loaded', { cause });
      });
      return { default: found };
    });
  let Part = attempt(load);
  const renew = () => {
    Part = attempt(() => mendStyles().then(load));
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

/** The build asks for the style of a part once: one that did not come is asked for again here. */
const missingStyles = new Set<HTMLLinkElement>();

window.addEventListener(
  'error',
  ({ target }) => {
    if (target instanceof HTMLLinkElement && target.rel === 'stylesheet') missingStyles.add(target);
  },
  true,
);

const mendStyles = () => Promise.all([...missingStyles].map(loadAgain));

const loadAgain = (missing: HTMLLinkElement): Promise<void> =>
  new Promise((resolve, reject) => {
    missingStyles.delete(missing);
    const link = document.createElement('link');
    link.rel = 'stylesheet';
    link.href = missing.href;
    link.addEventListener('load', () => resolve());
    link.addEventListener('error', () => reject(new Error(`${link.href} could not be loaded`)));
    missing.replaceWith(link);
  });
