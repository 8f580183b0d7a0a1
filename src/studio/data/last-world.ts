import { useQuery } from '@tanstack/react-query';
import { api } from './api.ts';
import { askOrRecall } from './kept.ts';

const PREFERENCE = 'studio_last_world';
const KEY = ['last-world'];

/** The world where the user was last: undefined until it is known, null for none. */
export function useLastWorld(): string | null | undefined {
  const { data, isError } = useQuery({
    queryKey: KEY,
    queryFn: ({ signal }) =>
      askOrRecall(KEY, async () => {
        const { [PREFERENCE]: kept } = await api.getPreferences({ signal });
        return typeof kept === 'string' ? kept : null;
      }),
  });
  return data === undefined && isError ? null : data;
}

/** Remembers a world as the last. Failing to do so costs a click. */
export const rememberWorld = (project: string): Promise<void> =>
  api.updatePreferences({ body: { [PREFERENCE]: project } }).then(
    () => undefined,
    () => undefined,
  );
