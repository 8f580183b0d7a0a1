import { createContext, useContext } from 'react';
import type { FieldNews, FormServices } from './form-types.ts';

/** They change rarely, so that a field is drawn anew only for its own sake. */
export const ServicesContext = createContext<FormServices | null>(null);
export const NewsContext = createContext<FieldNews | null>(null);
export const FocusContext = createContext<(path: string) => void>(() => undefined);

export const useServices = (): FormServices => present(useContext(ServicesContext));
export const useNews = (): FieldNews => present(useContext(NewsContext));
export const useFocusField = (): ((path: string) => void) => useContext(FocusContext);

function present<T>(context: T | null): T {
  if (context === null) throw new Error('A field stands outside of EntityForm.');
  return context;
}
