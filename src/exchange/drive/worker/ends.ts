import { keyOfProject, type Scope } from '../../../world/records/index.ts';

/** Signals that break off what runs for a project. */
export function createEnds() {
  const controllers = new Map<string, AbortController>();
  const end = (key: string): void => {
    controllers.get(key)?.abort();
    controllers.delete(key);
  };
  return {
    /** Aborts with the next end. */
    of(scope: Scope): AbortSignal {
      const key = keyOfProject(scope);
      const controller = controllers.get(key) ?? new AbortController();
      controllers.set(key, controller);
      return controller.signal;
    },
    end: (scope: Scope): void => end(keyOfProject(scope)),
    endAll: (): void => [...controllers.keys()].forEach(end),
    forget: (scope: Scope): void => void controllers.delete(keyOfProject(scope)),
  };
}
