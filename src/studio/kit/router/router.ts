import { navigate, useBrowserLocation, useHistoryState, useSearch } from 'wouter/use-browser-location';

/** The path of the current address, and its query without `?`. */
export function useAddress(): { path: string; search: string } {
  const [path] = useBrowserLocation();
  return { path, search: useSearch() };
}

/** Another one after each step to an address, also to the one that is shown. */
export const useVisit = (): unknown => useHistoryState<unknown>();

/** Goes to an address of the app. With `replace`, the visit goes on, and the way back leads past the current address. */
export const goTo = (address: string, { replace = false }: { replace?: boolean } = {}): void =>
  navigate(address, { replace, state: replace ? history.state : {} });
