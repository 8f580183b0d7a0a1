import type { ReactNode } from 'react';
import { I18nProvider, RouterProvider } from 'react-aria-components';
import { LiveRegion } from './live-region.tsx';

export interface UiProviderProps {
  /** Of the controls' own texts, numbers and direction, such as `de`. */
  locale: string;
  /** Follows links of the app without loading a page. */
  navigate: (href: string) => void;
  children: ReactNode;
}

export const UiProvider = ({ locale, navigate, children }: UiProviderProps) => (
  <I18nProvider locale={locale}>
    <RouterProvider navigate={navigate}>
      {children}
      <LiveRegion />
    </RouterProvider>
  </I18nProvider>
);
